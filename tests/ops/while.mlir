// The specification states 10 for the second result: nine steps, each of which adds one, give 9.
func.func @while_spec_example() {
  %init_i = stablehlo.constant dense<1> : tensor<i64>
  %init_sum = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %results:2 = stablehlo.while(%i = %init_i, %sum = %init_sum) : tensor<i64>, tensor<i64>
   cond {
    %cond = stablehlo.compare LT, %i, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %cond : tensor<i1>
  } do {
    %new_sum = stablehlo.add %sum, %one : tensor<i64>
    %new_i = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %new_i, %new_sum : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %results#0, dense<10> : tensor<i64>
  check.expect_eq_const %results#1, dense<9> : tensor<i64>
  func.return
}

func.func @while_never() {
  %init = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf64>
  %never = stablehlo.constant dense<false> : tensor<i1>
  %results = stablehlo.while(%operand = %init) : tensor<2xf64>
   cond {
    stablehlo.return %never : tensor<i1>
  } do {
    %next = stablehlo.add %operand, %operand : tensor<2xf64>
    stablehlo.return %next : tensor<2xf64>
  }
  check.expect_eq_const %results, dense<[1.5, 2.5]> : tensor<2xf64>
  func.return
}

func.func @while_nested() {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %three = stablehlo.constant dense<3> : tensor<i64>
  %results:2 = stablehlo.while(%i = %zero, %count = %zero) : tensor<i64>, tensor<i64>
   cond {
    %more = stablehlo.compare LT, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %inner:2 = stablehlo.while(%j = %zero, %n = %count) : tensor<i64>, tensor<i64>
     cond {
      %more = stablehlo.compare LE, %j, %i : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next_j = stablehlo.add %j, %one : tensor<i64>
      %next_n = stablehlo.add %n, %one : tensor<i64>
      stablehlo.return %next_j, %next_n : tensor<i64>, tensor<i64>
    }
    %next_i = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %next_i, %inner#1 : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %results#1, dense<6> : tensor<i64>
  func.return
}

func.func @while_quantized() {
  %one_stored = stablehlo.constant dense<3> : tensor<i8>
  %one = stablehlo.bitcast_convert %one_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %limit_stored = stablehlo.constant dense<21> : tensor<i8>
  %limit = stablehlo.bitcast_convert %limit_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.while(%x = %one) : tensor<!quant.uniform<i8:f32, 0.5:1>>
  cond {
    %goes_on = stablehlo.compare LT, %x, %limit : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %twice = stablehlo.add %x, %x : tensor<!quant.uniform<i8:f32, 0.5:1>>
    stablehlo.return %twice : tensor<!quant.uniform<i8:f32, 0.5:1>>
  }
  %stored = stablehlo.bitcast_convert %result : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i8>
  check.expect_eq_const %stored, dense<33> : tensor<i8>
  func.return
}
