func.func @reduce_spec_example() {
  %input = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [1] : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  check.expect_eq_const %result, dense<[15]> : tensor<1xi64>
  func.return
}

func.func @reduce_boolean_both_dimensions() {
  %input = stablehlo.constant dense<[[false, false], [false, true]]> : tensor<2x2xi1>
  %init_value = stablehlo.constant dense<false> : tensor<i1>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.or across dimensions = [0, 1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %result, dense<true> : tensor<i1>
  func.return
}

func.func @reduce_maximum_with_nan() {
  %input = stablehlo.constant dense<[[1.0, 3.0], [0x7FF8000000000000, 2.0]]> : tensor<2x2xf64>
  %init_value = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[3.0, 0x7FF8000000000000]> : tensor<2xf64>
  func.return
}

func.func @reduce_empty_input() {
  %input = stablehlo.constant dense<> : tensor<2x0xf64>
  %init_value = stablehlo.constant dense<1.0> : tensor<f64>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.multiply across dimensions = [1] : (tensor<2x0xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<1.0> : tensor<2xf64>
  func.return
}

func.func @reduce_no_dimensions() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi64>
  func.return
}

func.func @reduce_argmax() {
  %values = stablehlo.constant dense<[[3, 9, 9], [7, 5, 6]]> : tensor<2x3xi64>
  %places = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %least = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %result:2 = stablehlo.reduce(%values init: %least), (%places init: %first) across dimensions = [1] : (tensor<2x3xi64>, tensor<2x3xi32>, tensor<i64>, tensor<i32>) -> (tensor<2xi64>, tensor<2xi32>)
   reducer(%value0: tensor<i64>, %value1: tensor<i64>) (%place0: tensor<i32>, %place1: tensor<i32>) {
    %greater = stablehlo.compare GT, %value0, %value1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %equal = stablehlo.compare EQ, %value0, %value1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %before = stablehlo.compare LT, %place0, %place1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = stablehlo.and %equal, %before : tensor<i1>
    %kept = stablehlo.or %greater, %tie : tensor<i1>
    %value = stablehlo.select %kept, %value0, %value1 : tensor<i1>, tensor<i64>
    %place = stablehlo.select %kept, %place0, %place1 : tensor<i1>, tensor<i32>
    stablehlo.return %value, %place : tensor<i64>, tensor<i32>
  }
  check.expect_eq_const %result#0, dense<[9, 7]> : tensor<2xi64>
  check.expect_eq_const %result#1, dense<[1, 0]> : tensor<2xi32>
  func.return
}

func.func @reduce_two_inputs() {
  %input0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %input1 = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %result:2 = stablehlo.reduce(%input0 init: %zero), (%input1 init: %one) across dimensions = [0] : (tensor<3xi64>, tensor<3xi64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
   reducer(%a0: tensor<i64>, %a1: tensor<i64>) (%b0: tensor<i64>, %b1: tensor<i64>) {
    %sum = stablehlo.add %a0, %a1 : tensor<i64>
    %product = stablehlo.multiply %b0, %b1 : tensor<i64>
    stablehlo.return %sum, %product : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %result#0, dense<6> : tensor<i64>
  check.expect_eq_const %result#1, dense<120> : tensor<i64>
  func.return
}

func.func @reduce_quantized() {
  %input_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %input = stablehlo.bitcast_convert %input_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %init_value_stored = stablehlo.constant dense<1> : tensor<i8>
  %init_value = stablehlo.bitcast_convert %init_value_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.reduce"(%input, %init_value) <{dimensions = array<i64: 1>}> ({
    ^bb0(%lhs: tensor<!quant.uniform<i32:f32, 0.125:0>>, %rhs: tensor<!quant.uniform<i32:f32, 0.125:0>>):
      %sum = stablehlo.add %lhs, %rhs : tensor<!quant.uniform<i32:f32, 0.125:0>>
      stablehlo.return %sum : tensor<!quant.uniform<i32:f32, 0.125:0>>
  }) : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i32:f32, 0.125:0>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i32:f32, 0.125:0>>) -> tensor<2xi32>
  check.expect_eq_const %stored, dense<[12, 48]> : tensor<2xi32>
  func.return
}
func.func @reduce_quantized_stays_in_the_range_of_storage() {
  %input_stored = stablehlo.constant dense<[100, 100, 100]> : tensor<3xi8>
  %input = stablehlo.bitcast_convert %input_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %init_value_stored = stablehlo.constant dense<1> : tensor<i8>
  %init_value = stablehlo.bitcast_convert %init_value_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [0] : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i8>
  check.expect_eq_const %stored, dense<127> : tensor<i8>
  func.return
}
