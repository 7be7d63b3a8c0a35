func.func @expect_serialized_eq_reads_what_a_probe_wrote() {
  %first = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %result = interpreter.probe %first, probe_id = "probe" : tensor<2xf64>
  check.expect_eq_const %result, dense<[1.0, 2.0]> : tensor<2xf64>
  %second = stablehlo.negate %result : tensor<2xf64>
  %other = interpreter.probe %second, probe_id = "other" : tensor<2xf64>
  check.expect_serialized_eq %first, probe_id = "probe" : tensor<2xf64>
  check.expect_serialized_eq %second, probe_id = "other", iter = 0 : tensor<2xf64>
  func.return
}
