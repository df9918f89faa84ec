import { ChoiceList } from '../../../parts/ChoiceList.tsx'
import { describeService } from '../health-words.ts'
import type { ServiceName } from '../status-bodies.ts'

const names: readonly ServiceName[] = [
  'database',
  'queue',
  'disk',
  'ollama',
  'openai',
  'anthropic',
  'vector_db',
  'mcp',
]

interface ServiceChoiceProps {
  readonly chosen: readonly ServiceName[]
  readonly onChange: (chosen: readonly ServiceName[]) => void
  readonly error: string | undefined
}

/** Which services it is about. */
export function ServiceChoice({ chosen, onChange, error }: ServiceChoiceProps) {
  return (
    <ChoiceList
      label="Services"
      description="What it is about. None is fine, too."
      choices={names.map((name) => ({ name, title: describeService(name) }))}
      chosen={chosen}
      onChange={(wanted) => onChange(names.filter((name) => wanted.includes(name)))}
      error={error}
    />
  )
}
