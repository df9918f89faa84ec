import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { sampleContext } from '../../workflow/sample-context.ts'

/** A built-in flow that needs only a text. */
const firstFlow = 'summarise_and_translate'

/** For users without executions: one click to a first execution, which needs no external model. */
export function FirstRun() {
  const api = useApi()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      bodyOf(
        api.client.POST('/ai-workflows/api/execute-flow-async', {
          body: {
            flow_id: firstFlow,
            context: sampleContext([]),
            options: { ai_options: { preferred_providers: ['builtin'], fallback_enabled: false } },
          },
        }),
      ),
    async onSuccess({ execution_id }) {
      await navigate({
        to: '/executions/$execution',
        params: { execution: execution_id },
        search: { tab: 'result' },
      })
      // A user who navigates back must see the first run.
      await cache.invalidateQueries({ queryKey: ['executions', 'list'] })
    },
  })
  const run = () => {
    if (!isPending) mutate()
  }
  return (
    <Section title="Your first run">
      <EmptyState
        sentence="No runs yet. A built-in workflow summarises a short text with the built-in model: no API key, no cost, a few seconds."
        action={
          <Button size="sm" aria-disabled={isPending} onClick={run}>
            Run it now
          </Button>
        }
        link={
          <Link to="/workflows/$flow" params={{ flow: firstFlow }}>
            View the workflow
          </Link>
        }
      />
      {error === null ? null : (
        <FailureNotice what="The execution was not started." error={error} onRetry={run} />
      )}
    </Section>
  )
}
