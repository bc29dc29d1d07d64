import { endsAsItShould } from '../ends-as-it-should.ts'
import { samsara } from '../samsara-subject.ts'

endsAsItShould(samsara)
