func.func @scan_running_sum() {
  %inputs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %inits = stablehlo.constant dense<10> : tensor<i64>
  %outputs, %carries = chlo.scan(%inputs) inits (%inits) dimension=0  {
  ^bb0(%input: tensor<i64>, %carry: tensor<i64>):
    %sum = stablehlo.add %input, %carry : tensor<i64>
    stablehlo.return %sum, %sum : tensor<i64>, tensor<i64>
  } : (tensor<3xi64>, tensor<i64>) -> (tensor<3xi64>, tensor<i64>)
  check.expect_eq_const %outputs, dense<[11, 13, 16]> : tensor<3xi64>
  check.expect_eq_const %carries, dense<16> : tensor<i64>
  func.return
}

func.func @scan_reverse() {
  %inputs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %inits = stablehlo.constant dense<10> : tensor<i64>
  %outputs, %carries = chlo.scan(%inputs) inits (%inits) dimension=0 attributes {is_reverse = true} {
  ^bb0(%input: tensor<i64>, %carry: tensor<i64>):
    %sum = stablehlo.add %input, %carry : tensor<i64>
    stablehlo.return %sum, %sum : tensor<i64>, tensor<i64>
  } : (tensor<3xi64>, tensor<i64>) -> (tensor<3xi64>, tensor<i64>)
  check.expect_eq_const %outputs, dense<[16, 15, 13]> : tensor<3xi64>
  check.expect_eq_const %carries, dense<16> : tensor<i64>
  func.return
}

func.func @scan_rows_and_another_output() {
  %inputs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %inits = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %outputs, %carries = chlo.scan(%inputs) inits (%inits) dimension=0  {
  ^bb0(%input: tensor<2xf64>, %carry: tensor<2xf64>):
    %product = stablehlo.multiply %input, %carry : tensor<2xf64>
    %negative = stablehlo.negate %carry : tensor<2xf64>
    stablehlo.return %negative, %product : tensor<2xf64>, tensor<2xf64>
  } : (tensor<2x2xf64>, tensor<2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>)
  check.expect_eq_const %outputs, dense<[[-1.0, -1.0], [-1.0, -2.0]]> : tensor<2x2xf64>
  check.expect_eq_const %carries, dense<[3.0, 8.0]> : tensor<2xf64>
  func.return
}
