"""English word lists of the local extractor."""

__all__ = [
    "ANIMALS",
    "BEFORE_NAMES",
    "BELONGINGS",
    "CALENDAR_WORDS",
    "CONVERSATIONAL_VERBS",
    "DISLIKE_VERBS",
    "FACTUAL_CONJUNCTIONS",
    "FEMALE",
    "FILLERS",
    "FIRST_PERSON",
    "FIRST_PERSON_PLURAL",
    "FUNCTION_WORDS",
    "GENERIC_ADJECTIVES",
    "HYPOTHETICAL_MODALS",
    "JOB_TITLES",
    "KIN",
    "LIKE_ADJECTIVES",
    "LIKE_VERBS",
    "MALE",
    "NAME_PARTICLES",
    "NOT_EMPLOYERS",
    "NOT_NAMES",
    "PEOPLE",
    "SECOND_PERSON",
    "SINGLE_VALUED",
    "VAGUE_NOUNS",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FIRST_PERSON = _words("i me my mine myself")
FIRST_PERSON_PLURAL = _words("we us our ours ourselves")
SECOND_PERSON = _words("you your yours yourself ya u y'all")

KIN = _words(
    "mother mom mum mommy mama father dad daddy papa parent parents grandma grandmother granny grandpa grandfather"
    " grandad granddad gran nan nana nanna stepdad stepmum stepmom stepbrother stepsister godson goddaughter"
    " grandparents grandson granddaughter brother sister sibling siblings bro sis son daughter kid kids child children"
    " baby twins uncle aunt auntie cousin cousins nephew niece husband wife partner spouse fiancé fiancée fiance"
    " fiancee boyfriend girlfriend family fam in-laws stepmother stepfather stepson stepdaughter godmother godfather",
)
"""Relatives."""
FEMALE = _words(
    "mother mom mum mommy mama grandma grandmother granny gran nan nana nanna stepmum stepmom"
    " stepsister goddaughter granddaughter sister sis daughter aunt auntie niece wife"
    " fiancée fiancee girlfriend stepmother stepdaughter godmother",
)
MALE = _words(
    "father dad daddy papa grandpa grandad granddad stepdad stepbrother godson grandfather grandson"
    " brother bro son uncle nephew husband fiancé boyfriend"
    " stepfather stepson godfather",
)

PEOPLE = KIN | _words(
    "friend friends buddy bestie boss manager colleague colleagues coworker coworkers teammate teammates roommate"
    " roommates flatmate flatmates housemate housemates mate mates bro lodger landlord landlady nanny babysitter"
    " neighbor neighbour neighbors neighbours teacher mentor coach therapist doctor student students client"
    " clients dog dogs puppy pup cat cats kitten kittens puppies pet pets hamster rabbit bunny parrot"
    " budgie horse pony gecko snake tortoise turtle"
    " lizard goldfish ferret guinea-pig team crew band",
)
"""Relatives, friends, colleagues, pets and others who are known by whose they are: `my boss`."""

BELONGINGS = _words(
    "dog puppy cat kitten pet hamster rabbit parrot horse fish turtle snake bird house apartment flat condo cottage"
    " car bike bicycle motorcycle boat truck van piano guitar violin camera laptop phone garden farm ranch store shop"
    " restaurant café cafe bakery studio company business startup",
)
"""Possessions: `have` before one of these means to own it."""

JOB_TITLES = _words(
    "accountant actor actress analyst architect assistant barber barista bartender biologist bookkeeper builder"
    " butcher captain carpenter cashier chef chemist clerk cleaner consultant cook copywriter counselor curator"
    " dentist designer developer director doctor driver economist editor electrician engineer executive farmer"
    " firefighter florist geologist hairdresser instructor intern janitor journalist judge lawyer lecturer librarian"
    " manager mechanic midwife nurse officer paralegal paramedic pharmacist physicist physiotherapist pilot plumber"
    " policeman policewoman postdoc president principal producer professor programmer psychologist realtor"
    " receptionist recruiter reporter researcher salesman saleswoman scientist secretary solicitor statistician"
    " stewardess strategist supervisor surgeon surveyor tailor teacher technician therapist trainer translator"
    " tutor vet veterinarian vicar waiter waitress welder lead vp",
)
"""Job titles; a person has one at a time unless they say `also`."""

VAGUE_NOUNS = _words(
    "thing things stuff time times day days way ways one ones lot lots bit kind sort everything something anything"
    " nothing everyone someone anyone everybody somebody anybody nobody part parts deal point case fact matter idea"
    " reason moment moments chance week weeks month months year years today tomorrow yesterday morning evening night"
    " afternoon weekend minute minutes hour hours while life world rest side sense lots ton tons bunch couple pic pics"
    " photo photos picture pictures place places people person guy guys man men woman women word words question look"
    " luck thanks hey wow haha lol yeah gosh awesome congrats hi hello ok okay yep yup omg all both self go use it who"
    " what which that this these those top start end first last next news touch vibe vibes feel number type"
    " difference blast loads load joy goal challenge challenges impact detail details rock rocks path paths others"
    " name names city town present presents leg legs knee foot feet floor wall line head tail top bottom edge middle"
    " front back corner inside outside notice writing"
    " mornings evenings nights afternoons weekends job jobs morning kudos glad proud welcome progress"
    " shot hand hands heart mind step steps props plenty shoutout vid clip process",
)
"""Nouns too general to be an entity."""

GENERIC_ADJECTIVES = _words(
    "own new great awesome nice cool amazing good special big little whole same other more many few several some any"
    " such much lovely beautiful wonderful fun favorite fave favourite best better perfect incredible super really"
    " very most least last next first old real true right great fantastic gorgeous adorable cute sweet interesting"
    " different certain various additional extra another delicious",
)
"""Adjectives too general to be part of an entity's name."""

CONVERSATIONAL_VERBS = _words(
    "think guess mean know hope see agree appreciate thank bet say tell let wonder understand wish swear imagine"
    " suppose wait promise believe hear reckon doubt sound seem ask matter forget remember admit assume realize"
    " realise",
)
"""Verbs that keep a conversation going and state no fact."""

FILLERS = _words(
    "so well actually anyway anyways oh yeah yes yep yup nope no wow hey hi haha lol honestly basically also just"
    " really definitely totally absolutely certainly btw ok okay and but or plus too then thanks sure hopefully"
    " unfortunately luckily fortunately sadly actually lately recently by man gosh omg woah whoa hmm now glad",
)
"""Words dropped from the start of a clause."""

BEFORE_NAMES = _words(
    "tell ask thank call meet thanks hey hi hello dear happy congrats oh welcome goodnight tag cc your my our his her"
    " their poor dearest bring give show let",
)
"""Words before a name that are not part of it, even capitalised: Tell Sam, Your Sam."""

HYPOTHETICAL_MODALS = _words("would could might should may ought must 'd shall")
FACTUAL_CONJUNCTIONS = _words("because although though so")
"""Conjunctions whose clause is asserted, unlike that of `if`, `when` or `unless`."""

LIKE_VERBS = _words("love like enjoy adore prefer")
DISLIKE_VERBS = _words("hate dislike detest loathe despise")
LIKE_ADJECTIVES = _words("keen passionate fond crazy")
NOT_EMPLOYERS = _words(
    "club gym team band class group army choir course program programme league society church community forum chat"
    " server party meeting call webinar workshop class discord twitter facebook instagram reddit"
    " tiktok linkedin netflix"
    " spotify strava duolingo zoom slack telegram whatsapp snapchat tinder bumble hinge mastodon"
    " bluesky threads youtube"
    " twitch steam costco patreon x meetup github audible prime gym weightwatchers",
)
"""Groups and services that one joins without working there."""

NOT_NAMES = _words(
    "a an the my our your ur his her its their this that these those some any no not every each another other others"
    " and but or so because since if when while as than then at in on to of for from with by about into onto over"
    " under near off out up down back home here there where it them him us me you he she they we i what which who"
    " how why work bed school uni university college church hospital prison jail town court class store shops shop"
    " person front fact general love debt peace luxury limbo touch charge trouble tears bits total person pain"
    " hiding costume advance theory practice public private secret line shape time sight use vogue german french"
    " english bulk cash once twice again also too still just now soon later always never ever maybe probably really"
    " sleep eat see live work buy get meet visit help pick stay watch swim run walk play do be have make take"
    " btw lol haha omg tbh imo rn atm idk ok okay yes yeah yep no nope please pls thanks thx full part half all both"
    " two three four five six seven eight nine ten first last next everyone everybody someone nobody everything"
    " lunch dinner breakfast brunch drinks coffee tea practice training bits vacation holiday holidays retirement"
    " myself yourself himself herself themselves ourselves itself nights days mornings evenings weekends weekdays"
    " free fun good bad today tomorrow yesterday tonight midnight noon night day abroad overseas upstairs downstairs"
    " freelance remotely research money myself life years months weeks hours age fives sixes things stuff them"
    " off me such well anyway though tho sure good great nice cool new old big small loads lots almost nearly"
    " around bed outside inside together alone is was are were had has did does will would can could should may might"
    " a&e er icu rehab therapy surgery isolation quarantine hell heaven reality bits rent family friends people"
    " mine yours theirs hers ours until till nowhere somewhere anywhere everywhere off"
)
"""Words after `live in` or `work at` that are not names."""

CALENDAR_WORDS = _words(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january"
    " february march april may june july august september october november december jan feb mar apr jun jul aug sep"
    " sept oct nov dec spring summer autumn winter fall christmas easter today tomorrow yesterday tonight",
)
"""Calendar words, which are never places."""

ANIMALS = _words(
    "dog dogs puppy puppies pup cat cats kitten kittens pet pets hamster rabbit bunny parrot budgie horse pony gecko"
    " snake tortoise turtle lizard goldfish ferret guinea-pig",
)
"""Pets: they have names but are not people."""

SINGLE_VALUED = _words("boss manager coach mentor therapist doctor teacher roommate landlord")
"""People of whom one has one at a time: a new one replaces the old one."""

NAME_PARTICLES = _words(
    "da das de del dela della delle dei degli der den dem des di do dos du la las le los van von vom vande vander ten"
    " ter te zu zum bin bint binti ibn abu al el af av y e",
)
"""Particles in people's names: João da Silva, Ludwig van Beethoven, Tariq bin Salem."""

FUNCTION_WORDS = _words(
    "a an the my our your his her its their this that these those some any all no not of to in on at for from"
    " with by as into onto over off out up down about after before since until till during along through and or"
    " but so because is are was were be been being am isn't aren't wasn't has have had having do does did don't"
    " doesn't didn't i i'm i've we we're we've you he she it they me us him them who someone somebody anyone"
    " everyone mine ours myself finally just now today tonight yesterday tomorrow again already still ever"
    " never always also too only really very officially totally completely anymore more longer last final first"
    " new old half whole other another next previous morning afternoon evening night week weekend month year"
    " day days weeks months years ago time thing things stuff lot monday tuesday wednesday thursday friday"
    " saturday sunday january february march april may june july august september october november december"
    " outside inside near there here then than what when where which while got get gets getting gave given go"
    " goes went going gone take took taken make made keep kept let put came come told tell said say sold lol"
    " haha yay omg phew well oh ok okay yes yeah sadly thank god good great fine better can can't could will"
    " won't would should if haven't hasn't havent hadn't work works working job",
)
"""Words that never name a thing: function words, time words and light verbs."""
