type Child = Node | string

/** Creates an element from attributes and nodes, never from markup. */
export function makeElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

export function makeButton(
  attributes: Readonly<Record<string, string>>,
  text: string,
  onPress: () => void,
): HTMLButtonElement {
  const button = makeElement('button', { type: 'button', ...attributes }, text)
  button.addEventListener('click', () => {
    if (button.ariaDisabled !== 'true') onPress()
  })
  return button
}
