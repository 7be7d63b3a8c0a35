"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>):
    // expect: slice-C1
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<2xi1>) -> tensor<1xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>):
    // expect: slice-C2
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<i1>) -> tensor<1xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0xi1>):
    // expect: slice-C3
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<0xi1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>):
    // expect: slice-C4
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 0>, strides = array<i64: 0>}> : (tensor<2xi1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>):
    // expect: slice-C5
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: slice-I1
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<0xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>):
    // expect: slice-I2
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = 1 : i64}> : (tensor<2xi1>) -> tensor<2xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>):
    // expect: slice-I3
    %0 = "stablehlo.slice"(%arg0) <{start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<2xi1>) -> tensor<0xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>):
    // expect: slice-I4
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 2>}> : (tensor<2xi1>) -> tensor<0xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
