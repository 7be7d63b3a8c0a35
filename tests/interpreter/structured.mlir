func.func @sum(%n: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (index) {
    %t = arith.addi %s, %i : index
    scf.yield %t : index
  }
  return %r : index
}
func.func @collatz(%x: i64) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%v = %x, %n = %zero) : (i64, i64) -> (i64, i64) {
    %go = arith.cmpi sgt, %v, %one : i64
    scf.condition(%go) %n, %v : i64, i64
  } do {
  ^bb0(%n: i64, %v: i64):
    %rest = arith.remsi %v, %two : i64
    %even = arith.cmpi eq, %rest, %zero : i64
    %next = scf.if %even -> (i64) {
      %h = arith.divsi %v, %two : i64
      scf.yield %h : i64
    } else {
      %t = arith.muli %v, %three : i64
      %u = arith.addi %t, %one : i64
      scf.yield %u : i64
    }
    %m = arith.addi %n, %one : i64
    scf.yield %next, %m : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}
func.func @gcd(%a: i64, %b: i64) -> i64 {
  %zero = arith.constant 0 : i64
  cf.br ^test(%a, %b : i64, i64)
^test(%x: i64, %y: i64):
  %done = arith.cmpi eq, %y, %zero : i64
  cf.cond_br %done, ^end(%x : i64), ^step
^step:
  %r = arith.remsi %x, %y : i64
  cf.br ^test(%y, %r : i64, i64)
^end(%g: i64):
  return %g : i64
}
func.func @indirect(%x: i64, %y: i64) -> i64 {
  %f = func.constant @gcd : (i64, i64) -> i64
  %r = func.call_indirect %f(%x, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @switch(%i: index) -> tensor<f32> {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %r = scf.index_switch %i -> tensor<f32>
  case 7 {
    scf.yield %b : tensor<f32>
  }
  case -2 {
    %d = stablehlo.add %b, %a : tensor<f32>
    scf.yield %d : tensor<f32>
  }
  default {
    scf.yield %a : tensor<f32>
  }
  %e = scf.execute_region -> tensor<f32> {
    %f = stablehlo.add %r, %r : tensor<f32>
    scf.yield %f : tensor<f32>
  }
  return %e : tensor<f32>
}
func.func @maybe(%must: i1) {
  scf.if %must {
    %no = arith.constant false
    cf.assert %no, "reached"
  }
  return
}
func.func @in_a_grid(%x: tensor<i64>) -> tensor<i64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  cf.br ^next(%x : tensor<i64>)
^next(%y: tensor<i64>):
  %r = scf.for %i = %zero to %two step %one iter_args(%s = %y) -> (tensor<i64>) {
    %all = "stablehlo.all_reduce"(%s) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %c = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %c : tensor<i64>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i64>) -> tensor<i64>
    scf.yield %all : tensor<i64>
  }
  return %r : tensor<i64>
}
