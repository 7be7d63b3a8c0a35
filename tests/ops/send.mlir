func.func private @sends(%first: tensor<2x2xi64>, %second: tensor<i8>, %token: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%first, %token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true
  } : (tensor<2x2xi64>, !stablehlo.token) -> !stablehlo.token
  %1 = "stablehlo.send"(%second, %0) {
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true
  } : (tensor<i8>, !stablehlo.token) -> !stablehlo.token
  func.return %1 : !stablehlo.token
}

func.func private @receives_the_second_first(%token: !stablehlo.token) -> (tensor<i8>, tensor<2x2xi64>) {
  %0:2 = "stablehlo.recv"(%token) {
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<i8>, !stablehlo.token)
  %1:2 = "stablehlo.recv"(%0#1) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  func.return %0#0, %1#0 : tensor<i8>, tensor<2x2xi64>
}

func.func @send_spec_example() {
  %first = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %second = stablehlo.constant dense<5> : tensor<i8>
  %token = stablehlo.after_all : !stablehlo.token
  %results:3 = "interpreter.run_parallel"(%token, %first, %second, %token) {
    programs = [[@receives_the_second_first], [@sends]]
  } : (!stablehlo.token, tensor<2x2xi64>, tensor<i8>, !stablehlo.token) -> (tensor<i8>, tensor<2x2xi64>, !stablehlo.token)
  check.expect_eq_const %results#0, dense<5> : tensor<i8>
  check.expect_eq_const %results#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  func.return
}
