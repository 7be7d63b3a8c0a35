"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    // expect: case-C3
    %1 = "stablehlo.case"(%0) ({
      "stablehlo.return"(%arg0) : (tensor<2xi32>) -> ()
    }, {
      %2 = "stablehlo.negate"(%arg0) : (tensor<2xi32>) -> tensor<2xui8>
      "stablehlo.return"(%2) : (tensor<2xui8>) -> ()
    }) : (tensor<i32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    // expect: case-C4
    %1 = "stablehlo.case"(%0) ({
      "stablehlo.return"(%arg0) : (tensor<2xi32>) -> ()
    }, {
      %2 = "stablehlo.negate"(%arg0) : (tensor<2xi32>) -> tensor<2xi32>
      "stablehlo.return"(%2) : (tensor<2xi32>) -> ()
    }) : (tensor<i32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?xi32>, tensor<1xi64>, tensor<3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<?xi32>, %arg1: tensor<1xi64>, %arg2: tensor<3xi64>):
    // expect: case-I1
    %0:2 = "stablehlo.case"(%arg0) ({
      "stablehlo.return"(%arg1) : (tensor<1xi64>) -> ()
    }, {
      "stablehlo.return"(%arg2, %arg2) : (tensor<3xi64>, tensor<3xi64>) -> ()
    }) : (tensor<?xi32>) -> (tensor<2xi64>, tensor<2xi64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>):
    // expect: case-I2
    %0 = "stablehlo.case"(%arg0) ({
      "stablehlo.return"(%arg1) : (tensor<4xf32>) -> ()
    }, {
    }) : (tensor<i32>) -> tensor<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%n: tensor<i32>) {
  // expect: case-C1
  %0 = "stablehlo.case"(%n) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @main(%n: tensor<i32>) {
  // expect: case-C2
  %0 = "stablehlo.case"(%n) ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}
