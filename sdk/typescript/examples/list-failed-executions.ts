/** Prints all failed executions, page by page as they are read. */
import { createTutti } from '@tutti/client'

const tutti = createTutti({
  url: process.env['TUTTI_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['TUTTI_API_KEY'],
})

let count = 0
for await (const execution of tutti.list('/ai-workflows/api/executions', {
  params: { query: { status: 'failed', limit: 2 } },
})) {
  count += 1
  console.log(execution.execution_id, execution.flow_id)
}
console.log(`${count} failed`)
