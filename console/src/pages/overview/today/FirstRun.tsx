import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { sampleContext } from '../../flow/sample-context.ts'

/** A flow that comes along, and needs nothing but a text. */
const firstFlow = 'summarise_and_translate'

/** For who has run nothing yet: one press to the first execution, with what the platform has itself. */
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
      // Whoever comes back at once has run something.
      await cache.invalidateQueries({ queryKey: ['executions', 'list'] })
      await navigate({ to: '/executions/$execution', params: { execution: execution_id } })
    },
  })
  const run = () => {
    if (!isPending) mutate()
  }
  return (
    <Section title="Your first run">
      <EmptyState
        sentence="You have run nothing yet. A flow that comes along sums up a short text with the built-in model: it needs no key, costs nothing and takes a few seconds."
        action={
          <Button size="sm" aria-disabled={isPending} onClick={run}>
            Run it now
          </Button>
        }
        link={
          <Link to="/flows/$flow" params={{ flow: firstFlow }}>
            Look at the flow first
          </Link>
        }
      />
      {error === null ? null : <FailureNotice what="Nothing was started." error={error} onRetry={run} />}
    </Section>
  )
}
