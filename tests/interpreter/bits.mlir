// Functions whose results would tell of an order that is not fixed: sums of many floats, indices that repeat,
// keys that are equal, generators, processes. Those named `grid_` run in a grid of eight replicas.

func.func @sum_of_many(%x: tensor<40x5000xf32>) -> (tensor<40xf32>, tensor<5000xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rows = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<40x5000xf32>, tensor<f32>) -> tensor<40xf32>
  %columns = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<40x5000xf32>, tensor<f32>) -> tensor<5000xf32>
  %all = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<40x5000xf32>, tensor<f32>) -> tensor<f32>
  return %rows, %columns, %all : tensor<40xf32>, tensor<5000xf32>, tensor<f32>
}

func.func @reducer_of_two(%x: tensor<300xf32>, %y: tensor<300xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %sum, %product = stablehlo.reduce(%x init: %zero), (%y init: %one) across dimensions = [0]
    : (tensor<300xf32>, tensor<300xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<f32>, %d: tensor<f32>) {
    %s = stablehlo.add %a, %c : tensor<f32>
    %m = stablehlo.multiply %b, %d : tensor<f32>
    %t = stablehlo.tanh %m : tensor<f32>
    stablehlo.return %s, %t : tensor<f32>, tensor<f32>
  }
  return %sum, %product : tensor<f32>, tensor<f32>
}

func.func @scatter_to_repeated_indices(%x: tensor<7x3xf32>, %updates: tensor<500x3xf32>) -> (tensor<7x3xf32>, tensor<7x3xf32>) {
  %iota = stablehlo.iota dim = 0 : tensor<500x1xi32>
  %seven = stablehlo.constant dense<7> : tensor<500x1xi32>
  %at = stablehlo.remainder %iota, %seven : tensor<500x1xi32>
  %sums = "stablehlo.scatter"(%x, %at, %updates) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<7x3xf32>, tensor<500x1xi32>, tensor<500x3xf32>) -> tensor<7x3xf32>
  %last = "stablehlo.scatter"(%x, %at, %updates) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<7x3xf32>, tensor<500x1xi32>, tensor<500x3xf32>) -> tensor<7x3xf32>
  return %sums, %last : tensor<7x3xf32>, tensor<7x3xf32>
}

func.func @products(%x: tensor<4x33x65xf32>, %y: tensor<4x65x17xf32>) -> (tensor<4x33x17xf32>, tensor<4x33x17xbf16>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x33x65xf32>, tensor<4x65x17xf32>) -> tensor<4x33x17xf32>
  %1 = stablehlo.convert %x : (tensor<4x33x65xf32>) -> tensor<4x33x65xbf16>
  %2 = stablehlo.convert %y : (tensor<4x65x17xf32>) -> tensor<4x65x17xbf16>
  %3 = stablehlo.dot_general %1, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x33x65xbf16>, tensor<4x65x17xbf16>) -> tensor<4x33x17xbf16>
  return %0, %3 : tensor<4x33x17xf32>, tensor<4x33x17xbf16>
}

func.func @convolution(%x: tensor<2x13x13x4xf32>, %w: tensor<3x3x2x6xf32>) -> tensor<2x7x7x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x13x13x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x7x7x6xf32>
  return %0 : tensor<2x7x7x6xf32>
}

func.func @generators() -> (tensor<2xui64>, tensor<100xui32>, tensor<100xf32>, tensor<100xf64>) {
  %state = stablehlo.constant dense<[3, 5]> : tensor<2xui64>
  %next, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<100xui32>)
  %shape = stablehlo.constant dense<100> : tensor<1xi64>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %uniform = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<100xf32>
  %mean = stablehlo.constant dense<0.0> : tensor<f64>
  %deviation = stablehlo.constant dense<1.0> : tensor<f64>
  %normal = stablehlo.rng %mean, %deviation, %shape, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<100xf64>
  return %next, %bits, %uniform, %normal : tensor<2xui64>, tensor<100xui32>, tensor<100xf32>, tensor<100xf64>
}

func.func @sort_with_equal_keys(%x: tensor<200xf32>) -> (tensor<200xi32>, tensor<200xf32>) {
  %iota = stablehlo.iota dim = 0 : tensor<200xi32>
  %five = stablehlo.constant dense<5> : tensor<200xi32>
  %keys = stablehlo.remainder %iota, %five : tensor<200xi32>
  %sorted:2 = "stablehlo.sort"(%keys, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
    %0 = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = false} : (tensor<200xi32>, tensor<200xf32>) -> (tensor<200xi32>, tensor<200xf32>)
  return %sorted#0, %sorted#1 : tensor<200xi32>, tensor<200xf32>
}

func.func @quantized(%x: tensor<8x20xf32>, %y: tensor<20x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xi8>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<8x20xf32>) -> tensor<8x20x!quant.uniform<i8:f32, 0.02:3>>
  %1 = stablehlo.uniform_quantize %y : (tensor<20x6xf32>) -> tensor<20x6x!quant.uniform<i8:f32, 0.03:0>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<8x20x!quant.uniform<i8:f32, 0.02:3>>, tensor<20x6x!quant.uniform<i8:f32, 0.03:0>>) -> tensor<8x6x!quant.uniform<i8:f32, 0.1:-5>>
  %3 = stablehlo.tanh %2 : tensor<8x6x!quant.uniform<i8:f32, 0.1:-5>>
  %4 = stablehlo.uniform_dequantize %3 : (tensor<8x6x!quant.uniform<i8:f32, 0.1:-5>>) -> tensor<8x6xf32>
  %5 = stablehlo.bitcast_convert %2 : (tensor<8x6x!quant.uniform<i8:f32, 0.1:-5>>) -> tensor<8x6xi8>
  return %4, %5 : tensor<8x6xf32>, tensor<8x6xi8>
}

func.func @linear_algebra(%x: tensor<12x12xf64>) -> (tensor<12x12xf64>, tensor<12x12xf64>, tensor<12x7xcomplex<f64>>) {
  %identity = stablehlo.iota dim = 0 : tensor<12x12xi32>
  %columns = stablehlo.iota dim = 1 : tensor<12x12xi32>
  %diagonal = stablehlo.compare EQ, %identity, %columns : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
  %hundred = stablehlo.constant dense<100.0> : tensor<12x12xf64>
  %square = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<12x12xf64>, tensor<12x12xf64>) -> tensor<12x12xf64>
  %added = stablehlo.add %square, %hundred : tensor<12x12xf64>
  %definite = stablehlo.select %diagonal, %added, %square : tensor<12x12xi1>, tensor<12x12xf64>
  %factor = stablehlo.cholesky %definite, lower = true : tensor<12x12xf64>
  %solution = "stablehlo.triangular_solve"(%factor, %x) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<12x12xf64>, tensor<12x12xf64>) -> tensor<12x12xf64>
  %spectrum = stablehlo.fft %x, type = RFFT, length = [12] : (tensor<12x12xf64>) -> tensor<12x7xcomplex<f64>>
  return %factor, %solution, %spectrum : tensor<12x12xf64>, tensor<12x12xf64>, tensor<12x7xcomplex<f64>>
}

func.func @windows(%x: tensor<30x30xf32>, %source: tensor<10x10xf32>) -> (tensor<28x28xf32>, tensor<30x30xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {window_dimensions = array<i64: 3, 3>} : (tensor<30x30xf32>, tensor<f32>) -> tensor<28x28xf32>
  %scattered = "stablehlo.select_and_scatter"(%x, %source, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 3, 3>} : (tensor<30x30xf32>, tensor<10x10xf32>, tensor<f32>) -> tensor<30x30xf32>
  return %sums, %scattered : tensor<28x28xf32>, tensor<30x30xf32>
}

func.func @hot_loop(%x: tensor<50xf32>) -> tensor<50xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<400> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<50xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.sine %v : tensor<50xf32>
    %w = stablehlo.add %s, %x : tensor<50xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %w : tensor<i32>, tensor<50xf32>
  }
  return %0#1 : tensor<50xf32>
}

func.func @grid_collectives(%x: tensor<16x3xf32>) -> (tensor<16x3xf32>, tensor<2x3xf32>, tensor<128x3xf32>, tensor<16x3xf32>) {
  %sum = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {replica_groups = dense<[[5, 0, 3, 6], [1, 2, 7, 4]]> : tensor<2x4xi64>} : (tensor<16x3xf32>) -> tensor<16x3xf32>
  %part = "stablehlo.reduce_scatter"(%sum) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[7, 6, 5, 4, 3, 2, 1, 0]]> : tensor<1x8xi64>} : (tensor<16x3xf32>) -> tensor<2x3xf32>
  %all = "stablehlo.all_gather"(%sum) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>} : (tensor<16x3xf32>) -> tensor<128x3xf32>
  %exchanged = "stablehlo.all_to_all"(%sum) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>} : (tensor<16x3xf32>) -> tensor<16x3xf32>
  return %sum, %part, %all, %exchanged : tensor<16x3xf32>, tensor<2x3xf32>, tensor<128x3xf32>, tensor<16x3xf32>
}

// Who receives first on a channel that names no pairs gets what was sent first.
func.func @grid_channels(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %t0 = stablehlo.create_token : !stablehlo.token
  %t1 = "stablehlo.send"(%x, %t0) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]]> : tensor<8x2xi64>
  } : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %from_left:2 = "stablehlo.recv"(%t1) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]]> : tensor<8x2xi64>
  } : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %sum = stablehlo.add %x, %from_left#0 : tensor<4xf32>
  %t2 = "stablehlo.send"(%sum, %from_left#1) {
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true
  } : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %from_any:2 = "stablehlo.recv"(%t2) {
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %sum, %from_any#0 : tensor<4xf32>, tensor<4xf32>
}
