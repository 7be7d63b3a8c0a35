"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xf16>):
    // expect: cholesky-C1
    %0 = "stablehlo.cholesky"(%arg0) <{lower = true}> : (tensor<2x2xf16>) -> tensor<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x?xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x?xi8>):
    // expect: cholesky-I1
    %0 = "stablehlo.cholesky"(%arg0) <{lower = false}> : (tensor<2x?xi8>) -> tensor<2x3xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi32>):
    // expect: cholesky-I2
    %0 = "stablehlo.cholesky"(%arg0) <{lower = 1 : i64}> : (tensor<2xi32>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf32>):
    // expect: cholesky-C2
    %0 = "stablehlo.cholesky"(%arg0) <{lower = true}> : (tensor<3xf32>) -> tensor<3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x0x2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x0x2xf64>):
    // expect: cholesky-C3
    %0 = "stablehlo.cholesky"(%arg0) : (tensor<2x0x2xf64>) -> tensor<2x0x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
