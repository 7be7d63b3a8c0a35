func.func @map_spec_example() {
  %input0 = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %input1 = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xi64>
  %result = "stablehlo.map"(%input0, %input1) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %product = stablehlo.multiply %arg0, %arg1 : tensor<i64>
    stablehlo.return %product : tensor<i64>
  }) : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[0, 5], [12, 21]]> : tensor<2x2xi64>
  func.return
}

func.func @map_several_operations_another_type() {
  %input = stablehlo.constant dense<[-1.5, 2.0]> : tensor<2xf64>
  %result = "stablehlo.map"(%input) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg0: tensor<f64>):
    %square = stablehlo.multiply %arg0, %arg0 : tensor<f64>
    %three = stablehlo.constant dense<3.0> : tensor<f64>
    %large = stablehlo.compare GT, %square, %three : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %large : tensor<i1>
  }) : (tensor<2xf64>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  func.return
}

func.func @map_constant_body() {
  %input = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %result = "stablehlo.map"(%input) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg0: tensor<i64>):
    %seven = stablehlo.constant dense<7> : tensor<i64>
    stablehlo.return %seven : tensor<i64>
  }) : (tensor<3xi64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<7> : tensor<3xi64>
  func.return
}

func.func @map_quantized() {
  %lhs_stored = stablehlo.constant dense<[1, 3, 5]> : tensor<3xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[3, 5, 7]> : tensor<3xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.map"(%lhs, %rhs) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5:1>>, %y: tensor<!quant.uniform<i8:f32, 0.5:1>>):
      %product = stablehlo.multiply %x, %y : tensor<!quant.uniform<i8:f32, 0.5:1>>
      stablehlo.return %product : tensor<!quant.uniform<i8:f32, 0.5:1>>
  }) : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, 5, 13]> : tensor<3xi8>
  func.return
}
