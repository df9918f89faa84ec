import { expect, test } from 'vitest'
import { readMetrics, readSlots } from './reported-load.ts'

test.each<[string, string, object]>([
  [
    'vLLM, with two engines',
    '# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{engine="0"} 3.0\nvllm:num_requests_running{engine="1"} 2.0\nvllm:num_requests_waiting{engine="0"} 1.0\nvllm:num_requests_waiting{engine="1"} 0.0\n',
    { running: 5, waiting: 1 },
  ],
  [
    'SGLang, with the same numbers for each tensor-parallel process',
    'sglang:num_running_reqs{tp_rank="0"} 4.0\nsglang:num_running_reqs{tp_rank="1"} 4.0\nsglang:num_queue_reqs{tp_rank="0"} 2.0\nsglang:num_running_reqs_total 100\n',
    { running: 4, waiting: 2 },
  ],
  [
    'TGI',
    '# TYPE tgi_queue_size gauge\ntgi_queue_size 7\ntgi_batch_current_size 12',
    { running: 12, waiting: 7 },
  ],
  [
    'other metrics',
    'process_cpu_seconds_total 1\nvllm:num_requests_running 2\n',
    { running: null, waiting: null },
  ],
  [
    'invalid numbers',
    'vllm:num_requests_running NaN\nvllm:num_requests_waiting -1\n',
    { running: null, waiting: null },
  ],
  ['nothing', '', { running: null, waiting: null }],
])('the load of %s is read', (_name, text, load) => {
  expect(readMetrics(text)).toEqual(load)
})

test.each<[unknown, number | null]>([
  [{ total_slots: 4 }, 4],
  [{ max_concurrent_requests: 128 }, 128],
  [{ total_slots: 0 }, null],
  [{ total_slots: '4' }, null],
  [null, null],
  ['text', null],
])('the slots of %j are %s', (body, slots) => {
  expect(readSlots(body)).toBe(slots)
})
