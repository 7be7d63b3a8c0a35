"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xf64>):
    // expect: ceil-C1
    %0 = "stablehlo.ceil"(%arg0) : (tensor<5xf64>) -> tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xcomplex<f64>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xcomplex<f64>>):
    // expect: ceil-I1
    %0 = "stablehlo.ceil"(%arg0) : (tensor<5xcomplex<f64>>) -> tensor<5xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
