"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<?xf64>):
    // expect: reverse-C1
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64>}> : (tensor<?xf64>) -> tensor<2x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf64>):
    // expect: reverse-C2
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0, 0>}> : (tensor<2xf64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi32>):
    // expect: reverse-C3
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 1>}> : (tensor<2xi32>) -> tensor<2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: reverse-I1
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 1, 0>}> : (tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi8>):
    // expect: reverse-I2
    %0 = "stablehlo.reverse"(%arg0) : (tensor<3x2xi8>) -> tensor<3x2xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
