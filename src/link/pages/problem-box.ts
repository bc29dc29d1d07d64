import type { LinkProblem } from '../../subgraphs/connections/linking/link-run.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { form } from './layout.ts'
import type { PageContext } from './page-context.ts'

/** What went wrong and what to do, where the eye and the focus fall first. */
export function problemBox(scene: PageContext, problem: LinkProblem, mayRetry: boolean): Html {
  const { texts, names } = scene
  const { title, text } = texts.problems[problem]
  return html`<div class="problem" role="alert" tabindex="-1" data-focus aria-labelledby="problem-title">
    ${icon('alert')}
    <div>
      <h2 id="problem-title">${title}</h2>
      <p id="problem">${text(names)}</p>
      ${mayRetry && form(scene, 'retry', html`<button class="secondary">${texts.retry}</button>`)}
    </div>
  </div>`
}
