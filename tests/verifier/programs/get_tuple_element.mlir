"builtin.module"() ({
  "func.func"() <{function_type = (tuple<tensor<f32>, tuple<tensor<i32>>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tuple<tensor<f32>, tuple<tensor<i32>>>):
    // expect: get_tuple_element-C1
    %0 = "stablehlo.get_tuple_element"(%arg0) <{index = 7 : i32}> : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tensor<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tuple<tensor<f32>, tuple<tensor<i32>>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tuple<tensor<f32>, tuple<tensor<i32>>>):
    // expect: get_tuple_element-C2
    %0 = "stablehlo.get_tuple_element"(%arg0) <{index = 0 : i32}> : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tensor<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tuple<tensor<2xf32>, tuple<tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tuple<tensor<2xf32>, tuple<tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>>>):
    // expect: get_tuple_element-I1
    %0 = "stablehlo.get_tuple_element"(%arg0) <{index = 0 : i32}> : (tuple<tensor<2xf32>, tuple<tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>>>) -> tensor<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tuple<tensor<2xf32>, tuple<tensor<i4>>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tuple<tensor<2xf32>, tuple<tensor<i4>>>):
    // expect: get_tuple_element-I2
    %0 = "stablehlo.get_tuple_element"(%arg0) : (tuple<tensor<2xf32>, tuple<tensor<i4>>>) -> tensor<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
