import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Trace } from '../executions/execution-bodies.ts'
import { isUnderWay } from '../executions/execution-words.ts'

const CancelSome = lazy(() => import('../executions/CancelSome.tsx'))

/** What can be done with the whole execution. */
export function RunActions({ trace }: { trace: Trace }) {
  const cache = useQueryClient()
  const [isCancelling, setCancelling] = useState(false)
  const { execution_id: id, flow_label, forked_from } = trace
  return (
    <>
      {forked_from === null ? null : (
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => (
            <Link to="/executions/compare" search={{ a: forked_from, b: id }} {...props} />
          )}
        >
          Compare with its origin
        </Button>
      )}
      {isUnderWay(trace.status) ? (
        <Button size="compact-sm" variant="default" onClick={() => setCancelling(true)}>
          Cancel
        </Button>
      ) : null}
      <Suspense>
        {isCancelling ? (
          <CancelSome
            executions={[{ execution_id: id, flow_label }]}
            onDone={() => cache.invalidateQueries({ queryKey: ['executions'] })}
            onClose={() => setCancelling(false)}
          />
        ) : null}
      </Suspense>
    </>
  )
}
