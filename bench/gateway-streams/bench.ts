import type { Benchmark } from '../benchmark.ts'
import { startStage } from '../gateway/stage.ts'

const benchmark: Benchmark = {
  question: 'How many streams of 32 tokens pass the gateway, compared with the provider and other gateways?',
  unit: 'streams/s',
  better: 'higher',
  baseline: 'the provider directly',
  setUp: () => startStage(true),
}

export default benchmark
