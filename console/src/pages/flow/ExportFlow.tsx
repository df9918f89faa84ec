import { Button } from '@mantine/core'
import type { WholeFlow } from '../flows/flow-bodies.ts'
import { writeFlowFile } from '../flows/flow-file.ts'

/** Saves the flow as a file that Import takes, here or on another platform. */
export function ExportFlow({ flow }: { flow: WholeFlow }) {
  function download(): void {
    const address = URL.createObjectURL(new Blob([writeFlowFile(flow)], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = `${flow.id}.flow.json`
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <Button size="compact-sm" variant="default" onClick={download}>
      Export
    </Button>
  )
}
