"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi8>, tensor<2xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi8>, %arg1: tensor<2xi8>):
    // expect: remainder-C1
    %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi1>, tensor<4xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi1>, %arg1: tensor<4xf64>):
    // expect: remainder-I1
    %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<4xi1>, tensor<4xf64>) -> tensor<4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<4xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<4xi1>):
    // expect: remainder-I2
    %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<4xi64>, tensor<4xi1>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
