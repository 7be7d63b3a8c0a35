"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0xi1>, tensor<f64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0xi1>, %arg1: tensor<f64>, %arg2: tensor<f64>):
    // expect: select-C1
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<0xi1>, tensor<f64>, tensor<f64>) -> tensor<f64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<f64>, tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<f64>, %arg2: tensor<2xf64>):
    // expect: select-C2
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<f64>, tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<f64>, %arg2: tensor<2xf64>):
    // expect: select-I1
    %0 = "stablehlo.select"(%arg2, %arg1, %arg0) : (tensor<2xf64>, tensor<f64>, tensor<i1>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg2: tensor<2xf64>):
    // expect: select-I2
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2xf64>) -> tensor<f64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi1>, tensor<2x2xi32>, tensor<4x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi1>, %arg1: tensor<2x2xi32>, %arg2: tensor<4x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: select-I3
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<2x2xi1>, tensor<2x2xi32>, tensor<4x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
