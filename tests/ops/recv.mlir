// The specification's example: send.mlir

func.func private @hands_on(%operand: tensor<2xi8>, %token: !stablehlo.token) -> tensor<2xi8> {
  %sent = "stablehlo.send"(%operand, %token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
  } : (tensor<2xi8>, !stablehlo.token) -> !stablehlo.token
  %received:2 = "stablehlo.recv"(%sent) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
  } : (!stablehlo.token) -> (tensor<2xi8>, !stablehlo.token)
  func.return %received#0 : tensor<2xi8>
}

func.func @recv_from_the_process_that_it_is_paired_with() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[3, 4]> : tensor<2xi8>
  %2 = stablehlo.constant dense<[5, 6]> : tensor<2xi8>
  %token = stablehlo.after_all : !stablehlo.token
  %results:3 = "interpreter.run_parallel"(%0, %token, %1, %token, %2, %token) {
    programs = [[@hands_on, @hands_on, @hands_on]]
  } : (tensor<2xi8>, !stablehlo.token, tensor<2xi8>, !stablehlo.token, tensor<2xi8>, !stablehlo.token)
    -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>)
  check.expect_eq_const %results#0, dense<[0, 0]> : tensor<2xi8>
  check.expect_eq_const %results#1, dense<[1, 2]> : tensor<2xi8>
  check.expect_eq_const %results#2, dense<[3, 4]> : tensor<2xi8>
  func.return
}
