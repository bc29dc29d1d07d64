import { Switches } from '../kit/behaviours.ts'
import type { Fake, FakeContext } from '../kit/fake.ts'
import { behaviours } from './behaviours.ts'
import { controlsOf } from './control.ts'
import { Motive } from './motive.ts'
import { oracleOf } from './oracle/oracle.ts'
import { refused } from './refusal.ts'

/** Creates the fake of Motive. Company 1 has the API key `fake-key-1`, and so on. */
export function motiveOf(context: FakeContext): Fake {
  const switches = new Switches(behaviours)
  const motive = new Motive(context, switches)
  return {
    routes: [...controlsOf(motive), ...motive.routes()],
    refusal: (status) => refused(status, switches),
    keyOf: (call) => String(motive.bearerOf(call)?.account ?? 'nobody'),
    pagedBy: 'page_no',
    limitsOf: (call, endpoint) => motive.limitsOf(call, endpoint),
    switches,
    truth: oracleOf(motive, switches),
  }
}
