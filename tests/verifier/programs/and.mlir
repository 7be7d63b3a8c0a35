"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[-1, 255, 0]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %1 = "stablehlo.constant"() <{value = dense<[7, -16, 5]> : tensor<3xi64>}> : () -> tensor<3xi64>
    // expect: and-C1
    %2 = "stablehlo.and"(%0, %1) : (tensor<3xi64>, tensor<3xi64>) -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf64>, %arg1: tensor<f64>):
    // expect: and-I1
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>, tensor<3xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>, %arg1: tensor<3xf16>):
    // expect: and-I2
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<3xi64>, tensor<3xf16>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
