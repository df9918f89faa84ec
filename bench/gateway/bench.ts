import type { Benchmark } from '../benchmark.ts'
import { startStage } from './stage.ts'

const benchmark: Benchmark = {
  question:
    'How many small requests per second pass the gateway, compared with the provider and other gateways?',
  unit: 'requests/s',
  better: 'higher',
  baseline: 'the provider directly',
  setUp: () => startStage(false),
}

export default benchmark
