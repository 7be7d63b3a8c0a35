"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i32>):
    // expect: tuple-C1
    %0 = "stablehlo.tuple"() : () -> tuple<tensor<i32>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: tuple-I1
    %0 = "stablehlo.tuple"(%arg0) : (tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tuple<tensor<1xi64>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
