"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: fft-C1
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<f64>) -> tensor<4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf64>):
    // expect: fft-C2
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4xf64>) -> tensor<4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf64>):
    // expect: fft-C3
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<2x4xf64>) -> tensor<2x3xcomplex<f64>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf64>):
    // expect: fft-C4
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<2xf64>) -> tensor<2x3xcomplex<f64>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf64>):
    // expect: fft-C5
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4xf64>) -> tensor<1x3xcomplex<f64>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi4>):
    // expect: fft-I1
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4xi4>) -> tensor<4xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i64>):
    // expect: fft-I2
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: -1>}> : (tensor<i64>) -> tensor<8xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xui32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xui32>):
    // expect: fft-I3
    %0 = "stablehlo.fft"(%arg0) <{fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4xui32>) -> tensor<4xui32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
