"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x2xi4>):
    // expect: transpose-C1
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 0, 1>}> : (tensor<1x2xi4>) -> tensor<1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0xf64>):
    // expect: transpose-C2
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 0, 1>}> : (tensor<0xf64>) -> tensor<1xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x2xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x2xi8>):
    // expect: transpose-C3
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<1x2xi8>) -> tensor<1x1xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: transpose-C4
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 2, 1, 0>}> : (tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: transpose-I1
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 0, 1>}> : (tensor<1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<1x2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x2xf64>):
    // expect: transpose-I2
    %0 = "stablehlo.transpose"(%arg0) : (tensor<1x2xf64>) -> tensor<1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
