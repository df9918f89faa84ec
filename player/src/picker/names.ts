/** Words that say how an element is just now, not what it is. */
const states =
  /^(?:(?:is|has|was|not)-.+|.*--?(?:active|open|opened|closed|selected|disabled|loading|focused?|hover(?:ed)?|visible|hidden|expanded|collapsed|checked|current|error|dirty|invalid)|active|open|opened|closed|selected|disabled|enabled|loading|loaded|focus(?:ed)?|focus-visible|focus-within|hover(?:ed)?|pressed|visible|hidden|show|shown|in|out|on|off|expanded|collapsed|checked|current|error|invalid|valid|dirty|touched|dragging|sticky|animated?|fade|enter|leave)$/i

/** Whether a class tells a state that comes and goes. */
export function isStateClass(name: string): boolean {
  return states.test(name)
}

/** Prefixes that libraries number their elements with. */
const numbered =
  /^(?:mantine|radix|headlessui|mui|react-aria|react-select|ember|ext-gen|yui|gwt-uid|cdk|mat|ng|ui-id|dijit|aria|tippy|popper|floating-ui|downshift|chakra|select2|uid|guid|uuid|id|auto|gen|anonymous|input|field|comp|component|block|node|view|widget)[-_:.]?\d+/i

/** Whether an id, class or test id was made up by a program, and will be another one the next time. */
export function isGenerated(name: string): boolean {
  // React's and others' separators, which nobody types into an id.
  if (/[:«»]|^_R_|^\d/.test(name)) return true
  if (numbered.test(name)) return true
  if (/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i.test(name)) return true
  return name.split(/[-_.\s]+/).some(isHashLike)
}

/** Letters and digits through each other, or more digits than a person counts. */
function isHashLike(part: string): boolean {
  if (/^\d{4,}$/.test(part)) return true
  if (part.length < 5) return false
  const changes = [...part.matchAll(/[a-z](?=\d)|\d(?=[a-z])/gi)].length
  if (changes >= 2 || /^[0-9a-f]{6,}$/i.test(part)) return /\d/.test(part)
  // A capital in the middle of a short word without vowels: what bundlers name classes.
  return /\d/.test(part) && /[a-z][A-Z]/.test(part)
}
