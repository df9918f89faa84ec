import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { apiReferencePath } from '../../shell/pages.ts'

/** The sentence for an account without executions, with the ways to start one. */
export function NoRuns({ sentence }: { sentence: string }) {
  return (
    <EmptyState
      sentence={sentence}
      action={
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <Link to="/workflows" {...props} />}
        >
          Run a workflow
        </Button>
      }
      link={<a href={apiReferencePath}>Start one through the API</a>}
    />
  )
}
