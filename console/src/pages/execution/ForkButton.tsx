import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { TracedStep } from '../executions/execution-bodies.ts'

const ForkDrawer = lazy(() => import('./ForkDrawer.tsx'))

/** Opens the way to a new execution that begins at this step. One that did not run cannot be begun at. */
export function ForkButton({ execution, step }: { execution: string; step: TracedStep }) {
  const [isOpen, setOpen] = useState(false)
  if (step.state !== 'completed' && step.state !== 'failed') return null
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        Fork from here
      </Button>
      <Suspense>
        {isOpen ? <ForkDrawer execution={execution} step={step} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
