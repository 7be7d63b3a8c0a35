// The specification states some zeros and ones; which of the two comes where is the implementation's to choose.
func.func @rng_spec_example() {
  %a = stablehlo.constant dense<0> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %shape = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x3xi32>
  %one = stablehlo.constant dense<1> : tensor<3x3xi32>
  %last_bit = stablehlo.and %result, %one : tensor<3x3xi32>
  check.expect_eq %result, %last_bit : tensor<3x3xi32>
  func.return
}

// Which numbers come is the implementation's to choose, the interval [a, b) is not.
func.func @rng_range_of_integers() {
  %a = stablehlo.constant dense<-2> : tensor<i32>
  %b = stablehlo.constant dense<3> : tensor<i32>
  %shape = stablehlo.constant dense<[3, 50]> : tensor<2xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x50xi32>
  %least = stablehlo.reduce(%result init: %b) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<3x50xi32>, tensor<i32>) -> tensor<i32>
  %not_below = stablehlo.compare GE, %least, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
  check.expect_eq_const %not_below, dense<true> : tensor<i1>
  %greatest = stablehlo.reduce(%result init: %a) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x50xi32>, tensor<i32>) -> tensor<i32>
  %below = stablehlo.compare LT, %greatest, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  check.expect_eq_const %below, dense<true> : tensor<i1>
  func.return
}

func.func @rng_range_of_floats() {
  %a = stablehlo.constant dense<0.5> : tensor<f64>
  %b = stablehlo.constant dense<0.75> : tensor<f64>
  %shape = stablehlo.constant dense<[100]> : tensor<1xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<100xf64>
  %least = stablehlo.reduce(%result init: %b) applies stablehlo.minimum across dimensions = [0] : (tensor<100xf64>, tensor<f64>) -> tensor<f64>
  %not_below = stablehlo.compare GE, %least, %a : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %not_below, dense<true> : tensor<i1>
  %greatest = stablehlo.reduce(%result init: %a) applies stablehlo.maximum across dimensions = [0] : (tensor<100xf64>, tensor<f64>) -> tensor<f64>
  %below = stablehlo.compare LT, %greatest, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %below, dense<true> : tensor<i1>
  func.return
}

// A normal distribution whose standard deviation is 0 gives its mean.
func.func @rng_normal_without_deviation() {
  %a = stablehlo.constant dense<2.5> : tensor<f64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<2x2xf64>
  check.expect_eq_const %result, dense<2.5> : tensor<2x2xf64>
  func.return
}
