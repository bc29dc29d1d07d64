import { endsAsItShould } from '../ends-as-it-should.ts'
import { motive } from '../motive-subject.ts'

endsAsItShould(motive)
