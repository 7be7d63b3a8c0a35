func.func @sort_spec_example() {
  %input0 = stablehlo.constant dense<[[1, 2, 3], [3, 2, 1]]> : tensor<2x3xi64>
  %input1 = stablehlo.constant dense<[[3, 2, 1], [1, 2, 3]]> : tensor<2x3xi64>
  %result0, %result1 = "stablehlo.sort"(%input0, %input1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>, %arg2: tensor<i64>, %arg3: tensor<i64>):
    %predicate = stablehlo.compare GT, %arg0, %arg1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %predicate : tensor<i1>
  }) : (tensor<2x3xi64>, tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>)
  check.expect_eq_const %result0, dense<[[3, 2, 3], [1, 2, 1]]> : tensor<2x3xi64>
  check.expect_eq_const %result1, dense<[[1, 2, 1], [3, 2, 3]]> : tensor<2x3xi64>
  func.return
}

func.func @sort_last_dimension_by_default() {
  %input = stablehlo.constant dense<[[2.0, -1.0, 0.5], [0.0, 4.0, 3.0]]> : tensor<2x3xf64>
  %result = "stablehlo.sort"(%input) ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<f64>):
    %predicate = stablehlo.compare LT, %arg0, %arg1 : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %predicate : tensor<i1>
  }) : (tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %result, dense<[[-1.0, 0.5, 2.0], [0.0, 3.0, 4.0]]> : tensor<2x3xf64>
  func.return
}

func.func @sort_stable() {
  %input0 = stablehlo.constant dense<[1, 0, 1, 0, 1]> : tensor<5xi64>
  %input1 = stablehlo.iota dim = 0 : tensor<5xi64>
  %result0, %result1 = "stablehlo.sort"(%input0, %input1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>, %arg2: tensor<i64>, %arg3: tensor<i64>):
    %predicate = stablehlo.compare LT, %arg0, %arg1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %predicate : tensor<i1>
  }) : (tensor<5xi64>, tensor<5xi64>) -> (tensor<5xi64>, tensor<5xi64>)
  check.expect_eq_const %result0, dense<[0, 0, 1, 1, 1]> : tensor<5xi64>
  check.expect_eq_const %result1, dense<[1, 3, 0, 2, 4]> : tensor<5xi64>
  func.return
}

func.func @sort_by_an_unusual_comparator() {
  %input = stablehlo.constant dense<[5, 2, 9, 4, 7]> : tensor<5xi64>
  %result = "stablehlo.sort"(%input) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %three = stablehlo.constant dense<3> : tensor<i64>
    %lhs = stablehlo.remainder %arg0, %three : tensor<i64>
    %rhs = stablehlo.remainder %arg1, %three : tensor<i64>
    %predicate = stablehlo.compare LT, %lhs, %rhs : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %predicate : tensor<i1>
  }) : (tensor<5xi64>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[9, 4, 7, 5, 2]> : tensor<5xi64>
  func.return
}

func.func @sort_total_order() {
  %input = stablehlo.constant dense<[0.0, 0x7FF8000000000000, -0.0, -1.0]> : tensor<4xf64>
  %result = "stablehlo.sort"(%input) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<f64>):
    %predicate = stablehlo.compare LT, %arg0, %arg1, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %predicate : tensor<i1>
  }) : (tensor<4xf64>) -> tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %bits, dense<[0xBFF0000000000000, 0x8000000000000000, 0, 0x7FF8000000000000]> : tensor<4xui64>
  func.return
}

func.func @sort_quantized() {
  %operand_stored = stablehlo.constant dense<[3, -7, 5, 1]> : tensor<4xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.sort"(%operand) <{dimension = 0 : i64}> ({
    ^bb0(%lhs: tensor<!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<!quant.uniform<i8:f32, 0.5:1>>):
      %before = stablehlo.compare GT, %lhs, %rhs : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xi8>
  check.expect_eq_const %stored, dense<[5, 3, 1, -7]> : tensor<4xi8>
  func.return
}
