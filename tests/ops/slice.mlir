func.func @slice_spec_example() {
  %operand = stablehlo.constant dense<[[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]> : tensor<3x4xi64>
  %result = stablehlo.slice %operand [1:3, 2:4] : (tensor<3x4xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>
  func.return
}

func.func @slice_strides() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf64>
  %result = stablehlo.slice %operand [1:6:2] : (tensor<6xf64>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[2.0, 4.0, 6.0]> : tensor<3xf64>
  func.return
}

func.func @slice_whole_and_empty() {
  %operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result0 = stablehlo.slice %operand [0:2] : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %result0, dense<[true, false]> : tensor<2xi1>
  %result1 = stablehlo.slice %operand [2:2] : (tensor<2xi1>) -> tensor<0xi1>
  check.expect_eq_const %result1, dense<> : tensor<0xi1>
  func.return
}

func.func @slice_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.slice %operand [0:2, 1:3] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[2, 3], [5, 6]]> : tensor<2x2xi8>
  func.return
}
