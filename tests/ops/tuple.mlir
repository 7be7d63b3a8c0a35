func.func @tuple_spec_example() {
  %val0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %inner = stablehlo.constant dense<3> : tensor<i32>
  %val1 = stablehlo.tuple %inner : tuple<tensor<i32>>
  %result = stablehlo.tuple %val0, %val1 : tuple<tensor<2xf32>, tuple<tensor<i32>>>
  %first = stablehlo.get_tuple_element %result[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tensor<2xf32>
  check.expect_eq_const %first, dense<[1.0, 2.0]> : tensor<2xf32>
  %second = stablehlo.get_tuple_element %result[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %only = stablehlo.get_tuple_element %second[0] : (tuple<tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %only, dense<3> : tensor<i32>
  func.return
}

func.func @tuple_of_quantized() {
  %x_stored = stablehlo.constant dense<[1, 3]> : tensor<2xi8>
  %x = stablehlo.bitcast_convert %x_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %pair = stablehlo.tuple %x, %x_stored : tuple<tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2xi8>>
  %result = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2xi8>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[1, 3]> : tensor<2xi8>
  func.return
}
