import IconArrowsSplit2 from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit2.mjs'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconHourglass from '@tabler/icons-react/dist/esm/icons/IconHourglass.mjs'
import IconMessageChatbot from '@tabler/icons-react/dist/esm/icons/IconMessageChatbot.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import IconRobot from '@tabler/icons-react/dist/esm/icons/IconRobot.mjs'
import IconSubtask from '@tabler/icons-react/dist/esm/icons/IconSubtask.mjs'
import IconTools from '@tabler/icons-react/dist/esm/icons/IconTools.mjs'
import IconTransform from '@tabler/icons-react/dist/esm/icons/IconTransform.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import IconWorldUpload from '@tabler/icons-react/dist/esm/icons/IconWorldUpload.mjs'

const icons: Readonly<Record<string, typeof IconRobot>> = {
  ai_prompt: IconMessageChatbot,
  conditional: IconArrowsSplit2,
  external_api: IconWorldUpload,
  data_transform: IconTransform,
  agent: IconRobot,
  for_each: IconRepeat,
  repeat_until: IconRefresh,
  sub_flow: IconSubtask,
  wait: IconHourglass,
  wait_for_event: IconBell,
  human: IconUserCheck,
  tool_agent: IconTools,
  agent_turn: IconMessageChatbot,
  agent_flow_call: IconTools,
  agent_tool_call: IconTools,
}

/** The icon of a step type, with a fallback for unknown types. */
export function StepIcon({ type, size = 16 }: { type: string; size?: number }) {
  const Icon = (Object.hasOwn(icons, type) ? icons[type] : undefined) ?? IconCircleDashed
  return <Icon size={size} stroke={1.75} aria-hidden />
}
