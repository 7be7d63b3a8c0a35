func.func @get_tuple_element_spec_example() {
  %val0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %inner = stablehlo.constant dense<3> : tensor<i32>
  %val1 = stablehlo.tuple %inner : tuple<tensor<i32>>
  %operand = stablehlo.tuple %val0, %val1 : tuple<tensor<2xf32>, tuple<tensor<i32>>>
  %result = stablehlo.get_tuple_element %operand[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, 2.0]> : tensor<2xf32>
  func.return
}
