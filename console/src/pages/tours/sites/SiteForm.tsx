import '../../../theme/mantine-form.css'
import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { describeLineProblem } from '../../../parts/describe-problem.ts'
import { Form } from '../../../parts/Form.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { fieldsToTexts, fieldsToTheme, textsToFields, themeToFields } from './player-fields.ts'
import { changeSite, createSite, readEnvironments, type Site, writeEnvironments } from './site-calls.ts'
import { TextFields } from './TextFields.tsx'
import { ThemeFields } from './ThemeFields.tsx'

interface SiteFormProps {
  /** Undefined for a new site. */
  readonly site: Site | undefined
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** The form of a site: where its tours play, and how the player looks and speaks there. */
export function SiteForm({ site, onChanged, onClose }: SiteFormProps) {
  const [label, setLabel] = useState(site?.label ?? '')
  const [lines, setLines] = useState(() => writeEnvironments(site?.environments ?? []))
  const [theme, setTheme] = useState(() => themeToFields(site?.player.theme ?? {}))
  const [texts, setTexts] = useState(() => textsToFields(site?.player.texts ?? []))
  const [origins, setOrigins] = useState(() => (site?.player.media_origins ?? []).join('\n'))
  const submission = useSubmission({
    fields: ['label', 'environments', 'player.theme', 'player.texts', 'player.media_origins'],
    send: (api) => {
      const media_origins = origins.split(/\s+/).filter((origin) => origin !== '')
      const player = { theme: fieldsToTheme(theme), texts: fieldsToTexts(texts), media_origins }
      const fields = { label, environments: readEnvironments(lines), player }
      return site === undefined ? createSite(api, fields) : changeSite(api, site.id, fields)
    },
    onDone: async () => {
      await onChanged()
      onClose()
    },
  })
  const { problemOf } = submission
  return (
    <Form
      submission={submission}
      submitLabel={site === undefined ? 'Add site' : 'Save'}
      failureSentence="The site was not saved."
      onCancel={onClose}
    >
      <TextInput
        label="Label"
        description={site === undefined ? 'Display name. The ID is derived from it.' : 'Display name.'}
        autoComplete="off"
        value={label}
        onChange={({ currentTarget: { value } }) => setLabel(value)}
        error={problemOf('label')}
      />
      <Textarea
        label="Environments"
        description="One per line, name and origin: production https://shop.example. Tours play on these origins only; leave it empty for any. The first one is previewed."
        rows={4}
        autoCapitalize="none"
        spellCheck={false}
        value={lines}
        onChange={({ currentTarget: { value } }) => setLines(value)}
        error={problemOf('environments', (problem) =>
          describeLineProblem({ ...problem, path: problem.path.replace(/\.\w+$/, '') }),
        )}
      />
      <Textarea
        label="Media origins"
        description="Origins whose images and videos steps may show, one per line: https://cdn.example. Those of the site itself are always shown."
        autosize
        minRows={1}
        maxRows={8}
        autoCapitalize="none"
        spellCheck={false}
        value={origins}
        onChange={({ currentTarget: { value } }) => setOrigins(value)}
        error={problemOf('player.media_origins', describeLineProblem)}
      />
      <DrawerSection title="Theme" about="Custom properties of the page take precedence.">
        <ThemeFields theme={theme} onChange={setTheme} problemOf={problemOf} />
      </DrawerSection>
      <DrawerSection title="Texts" about="Own texts of the player. Empty fields show the default.">
        <TextFields texts={texts} onChange={setTexts} problemOf={problemOf} />
      </DrawerSection>
    </Form>
  )
}
