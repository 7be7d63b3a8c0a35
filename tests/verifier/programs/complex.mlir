"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<1xf32>}> : () -> tensor<1xf32>
    // expect: complex-C2
    %2 = "stablehlo.complex"(%0, %1) : (tensor<1xf32>, tensor<1xf32>) -> tensor<complex<f32>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<1xf32>}> : () -> tensor<1xf32>
    // expect: complex-C3
    %2 = "stablehlo.complex"(%0, %1) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xcomplex<f64>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>, tensor<?xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<?xf64>):
    // expect: complex-C1
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<f64>, tensor<?xf64>) -> tensor<2xcomplex<f64>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>, tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>, %arg1: tensor<2xf64>):
    // expect: complex-I1
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<2xi1>, tensor<2xf64>) -> tensor<2xui32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xf32>, tensor<1xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xf32>, %arg1: tensor<1xi4>):
    // expect: complex-I2
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<1xf32>, tensor<1xi4>) -> tensor<1xcomplex<f32>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
