import type { Frame, View } from '../view.ts'
import { html } from './html.ts'
import { renderDocument, statusLine, exitForms } from './layout.ts'
import { pageContextOf } from './page-context.ts'

type Checking = Extract<View, { step: 'checking' }>

export function checking({ provider, isSlow }: Checking, frame: Frame): string {
  const scene = pageContextOf(frame, provider)
  const { texts, names } = scene
  const slow = texts.checking.slow(names)
  return renderDocument(scene, {
    title: texts.checking.title,
    shows: 'checking',
    step: 'checking',
    provider,
    facts: { follow: '1' },
    againSeconds: 2,
    body: html`<h1>${texts.checking.title}</h1>
      <p class="lede">${texts.checking.lede(names)}</p>
      ${statusLine('waiting', isSlow ? slow : texts.checking.usual, { slow })}
      ${html`<noscript><a class="link" href="${frame.run}">${texts.checking.reload}</a></noscript>`}
      ${exitForms(scene, null)}`,
  })
}
