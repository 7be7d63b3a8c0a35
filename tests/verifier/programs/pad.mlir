"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>, tensor<ui8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>, %arg1: tensor<ui8>):
    // expect: pad-C1
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64: 4>, edge_padding_low = array<i64>, interior_padding = array<i64: 0>}> : (tensor<2xi64>, tensor<ui8>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>, %arg1: tensor<i64>):
    // expect: pad-C2
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64: 4>, edge_padding_low = array<i64>, interior_padding = array<i64>}> : (tensor<2xi64>, tensor<i64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>, %arg1: tensor<i64>):
    // expect: pad-C3
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64: 4>, edge_padding_low = array<i64: 0>, interior_padding = array<i64: -1>}> : (tensor<2xi64>, tensor<i64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>, %arg1: tensor<i64>):
    // expect: pad-C4
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64: 4>, edge_padding_low = array<i64: -3>, interior_padding = array<i64: 0>}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<f64>):
    // expect: pad-I1
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64: -1, 1>, edge_padding_low = array<i64: 1, -1>, interior_padding = array<i64: 0, 1>}> : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<f64>) -> tensor<2x5xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>, %arg1: tensor<i64>):
    // expect: pad-I2
    %0 = "stablehlo.pad"(%arg1, %arg0) <{edge_padding_high = array<i64: 4>, edge_padding_low = array<i64: -3>, interior_padding = array<i64: 1>}> : (tensor<i64>, tensor<2xi64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>, %arg1: tensor<i64>):
    // expect: pad-I3
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = "x", interior_padding = array<i64: 0>}> : (tensor<2xi64>, tensor<i64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xi4>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xi4>, %arg1: tensor<i64>):
    // expect: pad-I4
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_low = array<i64: -3>, interior_padding = array<i64: 0>}> : (tensor<1xi4>, tensor<i64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>, %arg1: tensor<i64>):
    // expect: pad-I5
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64: 4>, edge_padding_low = array<i64: -3>}> : (tensor<2xi64>, tensor<i64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
