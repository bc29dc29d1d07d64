import type { Frame, View } from '../view.ts'
import { html } from './html.ts'
import { renderDocument, statusLine, exitForms } from './layout.ts'
import { pageContextOf } from './page-context.ts'

type Checking = Extract<View, { step: 'checking' }>

export function checking({ provider, isSlow }: Checking, frame: Frame): string {
  const context = pageContextOf(frame, provider)
  const { texts, names } = context
  const slow = texts.checking.slow(names)
  return renderDocument(context, {
    title: texts.checking.title,
    shows: 'checking',
    step: 'checking',
    provider,
    facts: { follow: '1' },
    reloadSeconds: 2,
    body: html`<h1>${texts.checking.title}</h1>
      <p class="lede">${texts.checking.lede(names)}</p>
      ${statusLine('waiting', isSlow ? slow : texts.checking.usual, { slow })}
      ${html`<noscript><a class="link" href="${frame.run}">${texts.checking.reload}</a></noscript>`}
      ${exitForms(context, null)}`,
  })
}
