// The bits are the implementation's to choose; we choose those that the specification states.
func.func @rng_bit_generator_spec_example() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  check.expect_eq_const %output_state, dense<[1, 6]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[[9236835810183407956, 16087790271692313299], [18212823393184779219, 2658481902456610144]]> : tensor<2x2xui64>
  func.return
}

// That the bits follow from the state, and that the state goes on, is not the implementation's to choose.
func.func @rng_bit_generator_three_fry_2_is_a_function_of_its_state() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state0, %output0 = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  %output_state1, %output1 = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  check.expect_eq %output0, %output1 : tensor<2x2xui64>
  check.expect_eq %output_state0, %output_state1 : tensor<2xui64>
  %same = stablehlo.compare EQ, %output_state0, %initial_state : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %all = stablehlo.constant dense<true> : tensor<i1>
  %unchanged = stablehlo.reduce(%same init: %all) applies stablehlo.and across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %unchanged, dense<false> : tensor<i1>
  func.return
}

func.func @rng_bit_generator_philox_2_is_a_function_of_its_state() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state0, %output0 = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  %output_state1, %output1 = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  check.expect_eq %output0, %output1 : tensor<2x2xui64>
  check.expect_eq %output_state0, %output_state1 : tensor<2xui64>
  %same = stablehlo.compare EQ, %output_state0, %initial_state : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %all = stablehlo.constant dense<true> : tensor<i1>
  %unchanged = stablehlo.reduce(%same init: %all) applies stablehlo.and across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %unchanged, dense<false> : tensor<i1>
  func.return
}

func.func @rng_bit_generator_philox_3_is_a_function_of_its_state() {
  %initial_state = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %output_state0, %output0 = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xui64>)
  %output_state1, %output1 = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xui64>)
  check.expect_eq %output0, %output1 : tensor<2x2xui64>
  check.expect_eq %output_state0, %output_state1 : tensor<3xui64>
  %same = stablehlo.compare EQ, %output_state0, %initial_state : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  %all = stablehlo.constant dense<true> : tensor<i1>
  %unchanged = stablehlo.reduce(%same init: %all) applies stablehlo.and across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %unchanged, dense<false> : tensor<i1>
  func.return
}
