"""Families of words about the same relation, such as live, move and flat: pure.

A question and its answer often share no word: "Where does she live?" and "I moved to Porto". Families are
groups of everyday English words; a word may belong to several. A word of the same family earns only part of the
credit of the word itself, so that a family that is too wide costs little.
"""

from collections.abc import Mapping
from functools import cache

from mnemo.retrieval.ranking.term_overlap import stem

__all__ = ["families"]

_FAMILIES = """
live lives living home house flat apartment place move moved moving reside based town city address settle settled
relocate rent

work works working job employ employer company firm start started starting join joined hire hired office career
profession occupation shift teach teaches teacher boss colleague position role

boss manager supervisor lead chief head runs

colleague coworker team office mate

study studies studying student school college university degree course class classes major thesis phd learn learning
lesson lessons graduate

marry married marries wed wedding husband wife spouse bride groom engaged engagement fiance fiancee divorce divorced

partner husband wife girlfriend boyfriend dating date together met couple relationship single seeing engaged

girlfriend boyfriend partner dating together met

born birth birthday baby arrived pregnant due old age

birthday born turn turns turned age old

child children kid kids son daughter baby boy girl toddler

brother sister sibling twin

mother mum mom mamma mama father dad papa parent parents grandma grandpa nonna grandmother grandfather granny nana

uncle aunt niece nephew cousin

friend friends mate pal buddy flatmate roommate neighbour neighbor

dog puppy pup hound greyhound beagle corgi terrier labrador spaniel poodle retriever pet pets breed

cat kitten kitty tabby pet pets

pet pets dog cat tortoise rabbit parrot hamster fish bird chicken chickens guinea pig animal puppy kitten

animal species tortoise turtle rabbit dog cat horse parrot hamster

name names named called call calling calls nickname

weigh weighs weighed weight kilo kilos kg lbs pounds pound stone lb

tall height high metres meters feet cm inches ft

cost costs price paid pay pays spend spent bought buy sold sell euro euros dollar dollars pounds offer rent fee bill

rent renting pay month lease landlord

buy buys bought purchase purchased got get acquire order ordered

sell sells sold trade traded

own owns owner have has got possess belong

look looks care cares caring take takes taking keep keeps mind minds minding watch watches sit sits sitting walk
walks walking feed feeds feeding babysit babysitter

like likes love loves enjoy enjoys fond favourite favorite prefer prefers hate hates dislike into adore converted
keen vile

favourite favorite prefer best love loves

eat eats eating food diet vegan vegetarian meat meal dish cook cooks cooking

allergic allergy allergies hives intolerant

vegan vegetarian diet meat dairy plant

drive drives driving car van truck motorbike motorcycle bike vehicle

car van truck vehicle

fly flies flying flight plane airport land lands landing airline leave leaves depart departs arrive

travel trip travelled traveled visit visited visiting holiday vacation journey went going go

sport sports run running swim swam swimming cycle cycling football tennis climb climbing marathon gym yoga training
exercise workout

hobby hobbies enjoy weekend spare painting reading knitting gardening

play plays playing instrument guitar violin piano drums flute cello band

smoke smokes smoking cigarette cigarettes quit

drink drinks drinking coffee tea wine beer

ill sick illness hospital doctor surgery injury injured broke broken tore hurt fell pain diagnosis

injury injured broke broken tore hurt fell wrist knee ankle foot leg arm

die died dies death dead passed funeral

phone number mobile cell telephone call

email mail address

make makes making made create creates creating build builds built craft crafts

write writes writing wrote book novel author

read reads reading book books novel

watch watches movie movies film films series show

film movie films movies cinema

open opens opening opened launch launched found founded run runs start

bakery bakeries shop store cafe café business oven

quit resign resigned notice leave left leaving

win wins won prize award medal

finish finished complete completed done pass passed graduate graduated

exam test passed failed

meet met meeting appointment date

plan plans planning going will want wants hope hopes intend

colour color blue red green yellow teal pink grey gray black white purple orange brown

defend defended defence defense viva thesis

paint paints painted painting painter artist

stay stays stayed staying hotel guesthouse hostel lodge

mountain peak summit climb volcano

turn turns turned birthday

nickname called name

sleep sleeps slept sleeping bed

date day when fixed
"""
"""Families, separated by blank lines."""


@cache
def _members() -> Mapping[str, frozenset[str]]:
    members: dict[str, set[str]] = {}
    for family in _FAMILIES.split("\n\n"):
        stems = {stem(word) for word in family.split()}
        for one in stems:
            members.setdefault(one, set()).update(stems - {one})
    return {one: frozenset(others) for one, others in members.items()}


def families(word: str) -> frozenset[str]:
    """Return the stems that share a family with a stem, without itself; empty for a word of no family."""
    return _members().get(word, frozenset())
