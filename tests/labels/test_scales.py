"""Scales that people use: each is recognised whole or asked for, none in a wrong order."""

import random

import pytest

from moselect.labels.label_numbers import natural_order
from moselect.labels.scales import recognise_scale

KNOWN = """
500m | 1km | 5km | 10km
100 m | 1 km | 10 km
500 mg | 1 g | 1 kg
250mg | 500mg | 1g
1 mg | 2.5 mg | 5 mg | 10 mg
0.1 mg | 0.25 mg | 0.5 mg
500 g | 1 kg | 2 kg
250 ml | 500 ml | 1 l | 2 l
100ml | 0.5l | 1l
3 days | 2 weeks | 1 month
1 day | 1 week | 1 month | 1 year
<1 day | 1-6 days | 1-4 weeks | >1 month
< 6 months | 6-12 months | 1-2 years | >2 years
30 min | 1 hour | 2 hours | 1 day
30 s | 1 min | 10 min
10 Minuten | 1 Stunde | 1 Tag
64KB | 512KB | 1MB | 1GB
256 MB | 1 GB | 8 GB | 1 TB
10 cm | 50 cm | 1 m
9 mm | 1 cm | 1 m
5 ft | 1 mile
6 in | 1 ft | 1 yd
8 oz | 1 lb | 5 lb
$500 | $1k | $5k | $1M
<$500k | $500k-$1M | >$1M
<10k | 10k-100k | 100k-1M | >1M
10K | 100K | 1M | 10M
500 Tsd | 1 Mio | 1 Mrd
V0 | V1 | V2 | V10
3 | 4 | 5a | 5b | 5c | 6a
WI2 | WI3 | WI4 | WI10
I | II | III | IV
I | IIa | IIb | III | IV
I | IIA | IIB | IIC | III
Ia | Ib | IIa | IIb | IIIa | IIIb | IIIc | IV
IA1 | IA2 | IB1 | IB2 | IIA1 | IIA2 | IIB | IIIA | IIIB | IVA | IVB
0 | 1+ | 2+ | 3+
Stage 0 | Stage I | Stage II | Stage III | Stage IV
Stage I | Stage IIA | Stage IIIC | Stage IV
stage 1 | stage 2a | stage 2b | stage 3
T1 | T2 | T3 | T4
T1a | T1b | T2 | T3 | T4a | T4b
N0 | N1 | N2 | N3
M0 | M1
M0 | M1a | M1b
pT1 | pT2 | pT3a | pT3b
G1 | G2 | G3
G1 | G2 | G3a | G3b | G4 | G5
NYHA I | NYHA II | NYHA III | NYHA IV
NYHA I | NYHA II | NYHA II-III | NYHA III
ASA 1 | ASA 2 | ASA 3
ASA I | ASA II | ASA III | ASA IV | ASA V
CEAP C0 | CEAP C1 | CEAP C2
A1 | A2 | B1 | B2 | C1 | C2
F | D | C | B | A
F | D- | D | D+ | C- | C | C+ | B- | B | B+ | A- | A | A+
C | C+ | B- | B | B+ | A- | A | A+
0-49% | 50-69% | 70-84% | 85-100%
<50% | 50-75% | >75%
0% | 1-25% | 26-50% | 51-100%
<5% | 5% | 10% | 25%
<1 | 1-5 | >5
<1 | 1-5 | 6-10 | >10
<=1 | 2-3 | >=4
0 | 1-2 | 3+
none | <1 | 1-5 | >5
<0.5 | 0.5-1.25 | >1.25
1-2 | 3-5 | 6+
1 | 2 | 3 | 4+
under 5 | 5 to 10 | over 10
less than 1 km | 1-5 km | more than 5 km
< 500 m | 500 m - 1 km | > 1 km
<1 h | 1-24 h | 1-7 d | >7 d
$0-$10,000 | $10,001-$50,000 | $50,001+
1st | 2nd | 3rd
low | medium | high
muy bajo | bajo | medio | alto | muy alto
sehr schlecht | schlecht | mittel | gut | sehr gut
nie | selten | manchmal | oft | immer
jamais | rarement | parfois | souvent | toujours
mai | raramente | spesso | sempre
XS | S | M | L | XL | XXL
32A | 32B | 34A | 34B
EASY | MEDIUM | HARD
bachelor | master | phd
primary | secondary | tertiary
Fair | Good | Very Good | Premium | Ideal
B3 | B2 | B1 | Ba3 | Baa1 | A1
BB- | BB | BB+ | BBB-
Grade I | Grade II | Grade III
Grade 1 | Grade 1-2 | Grade 2
Category 1 | Category 2 | Category 5
EF0 | EF1 | EF5
F0 | F1 | F5
BI-RADS 0 | BI-RADS 1 | BI-RADS 4A | BI-RADS 4B | BI-RADS 5
BI-RADS 2 | BI-RADS 3 | BI-RADS 4a | BI-RADS 4c | BI-RADS 5
Type I | Type II | Type V
IVa | IVb | V
vi | vii | viii | ix
2000 | 2001 | 2010
2019 | 2020 | 2021-2023
Year 7 | Year 8 | Year 10
-20 | -10 | 0 | 10
-2 | -1 | 0 | +1 | +2
-2SD | -1SD | 0 | +1SD
ISO 100 | ISO 200 | ISO 1600
1.5T | 3T
40W | 60W | 100W
M8 | M10 | M12
1,000 m | 5,000 m | 10,000 m
100.000 | 250.000 | 1.000.000
1 star | 2 stars | 5 stars
5 yrs | 10 yrs | 20 yrs
18 months | 2 years | 3 years
36 hours | 2 days | 1 week
1m | 10m | 100m | 1km
100m | 1km | 1mi
1mg/kg | 5mg/kg | 10mg/kg
5 mg/day | 10 mg/day | 1 g/day
2x daily | 3x daily | 4x daily
Size 36 | Size 38 | Size 40
36-38 | 40-42 | 44-46
34B | 34C | 36B
4-6 h | 1-2 d | 1-2 wk
5 d | 1 wk | 1 mo | 1 yr
<24h | 24-48h | >48h
<24h | 1-3 days | >3 days
90 days | 6 months | 1 year
IIIa | IIIb | IV
ICD-10 | ICD-11
Stage IIIA | Stage IIIB | Stage IV
Stage 3A | Stage 3B | Stage 4
Stage 0 | Stage 1 | Stage 2
pT1a | pT1b | pT2
ypT0 | ypT1 | ypT2
cN0 | cN1 | cN2
N0 | N1 | N2a | N2b | N2c | N3
FIGO IA | FIGO IB | FIGO IIA
ECOG 0 | ECOG 1 | ECOG 2
CDR 0 | CDR 0.5 | CDR 1 | CDR 2
0 | 0.5 | 1 | 2 | 3
ASA-I | ASA-II | ASA-III
Mallampati I | Mallampati II | Mallampati III | Mallampati IV
TIMI 0 | TIMI 1 | TIMI 2
Class I | Class IIa | Class IIb | Class III
LOE 1a | LOE 1b | LOE 2a
A- | A | A+
B- | B+ | A-
10a | 10b | 11a
5.10a | 5.10b | 5.11a
6a | 6b | 6c | 7a
VI | VII | VIII | IX
E1 | E2 | E10
AI2 | AI3 | AI4
M3 | M4 | M10
0% | 50% | 100%
0-10% | 10-25% | 25-50% | >50%
< 1% | 1%-5% | > 5%
Under 1 | 1-4 | 5+
0 | 1 | 2-3 | 4-5 | 6+
1-2 Mal | 3-5 Mal | mehr als 5 Mal
meno di 1 anno | 1-3 anni | oltre 3 anni
1 ora | 2 ore | 3 ore
30 min | 1 h | 2 h
Q1 | Q2 | Q3 | Q4
W1 | W2 | W10
1G | 2G | 3G | 4G | 5G
USB 1.0 | USB 2.0 | USB 3.0 | USB 3.1
Windows 7 | Windows 8.1 | Windows 10
iOS 9 | iOS 10 | iOS 11
480p | 720p | 1080p
5K | 10K | 21K | 42K
1M | 5M | 10M
1m | 5m | 10m
60 dB | 80 dB | 100 dB
pH 6 | pH 7 | pH 7.5
F1 | F2 | F3 | F4
Level 1 | Level 2 | Level 10
Lvl1 | Lvl2
Gen 1 | Gen 2
1st class | 2nd class | 3rd class
C | B | BB | A
Ca | Caa | B | Ba
E | D | C | B | A | A+
Zone 1 | Zone 2 | Zone 10
R1 | R2 | R3
XS | S | M
XL | 2XL | 3XL
cat 1 | cat 2 | cat 10
0 | 1+ | 2+ | 3+ | 4+
+1 | +2 | +3
-3 | -2 | -1 | 0 | 1
-1.5 | -0.5 | 0.5
1.0 | 1.5 | 2.0 | 2.25
3.25 | 3.5 | 4
1 | 1.3 | 1.7 | 2 | 2.3
20s | 30s | 40s
1980s | 1990s | 2000s
6mo | 1yr | 2yr
1 Jahr | 2 Jahre | 10 Jahre
IV | V | VI
III | V | IX
XX | XXX
2A | 2B | 3
1x | 2x | 3x
Strongly disagree | Disagree | Neutral | Agree | Strongly agree
strongly_disagree | neither agree nor disagree | STRONGLY-AGREE
D | C | CCC | B | BB | BBB | A | AA | AAA
G | F | A | A+ | A++ | A+++
Caa1 | B3 | B2 | Ba3 | Baa2 | A1 | Aa3 | Aaa
CCC | B- | BB+ | BBB- | AA | AAA
stimme gar nicht zu | teils/teils | Stimme eher zu | stimme voll zu
Pas du tout d\N{RIGHT SINGLE QUOTATION MARK}accord | Plutôt d'accord | Tout à fait d'accord
<1 year | 1-5 years | 6-60 years | 61+ years
under 18 | 18-24 | 25-64 | 65 or older
<$10k | $10k-20k | more than $20k
0-999 | 1,000-2,000
none | 1-2 | 3 or more
1+ | 5+ | 10+ | 1,000+
-20 to -10 | -10 to 0 | 0 to 10
< -10 | -10--5 | -5\N{EN DASH}0 | above 0
Stage 0 | Stage I | Stage IIA | Stage IIB | Stage IV
I | II | III | IV | V | VI | VII | VIII | IX | X
1 = low | 2 = some | 3 = high
1_death | 2_worse | 3_no_change
unter 18 | 18 bis 25 | über 25
0-5yrs | 6-11 yrs | 12+ yrs
0-39g/day | 40-79 | 80+
do not watch | <1 | 1 | 2 | 3+
1 (sehr gut) | 2 | 3 (mangelhaft)
1 not at all | 2 | 3 | 4 | 5 completely
very poor | 2 | 3 | very good
< 1 week | 1-4 weeks | 1-12 months | 1+ years
unter 500 € | 500 bis 1.000 € | 1.000 bis 2.000 € | über 2.000 €
jonger dan 18 | 18 t/m 24 | 65 jaar en ouder
zeer ontevreden | ontevreden | neutraal | tevreden | zeer tevreden
""".strip().splitlines()

# Units of unknown measures, versions, letters and letters behind some numbers: their order
# is not sure.
ASKED = """
Q42010 | Q12011 | Q22011
01 | 23 | 46 | 7p
800m | 1500m | 5k | 10k
500 W | 1 kW | 2 kW
100 Hz | 1 kHz | 1 MHz
500 mV | 1 V | 12 V
100 Pa | 1 kPa | 1 bar
1.1 | 1.2 | 1.9 | 1.10 | 1.11 | 2.0
v1.1 | v1.2 | v1.10
v1.9 | v1.10 | v2.0
1.9.0 | 1.9.1 | 1.10.0
1.2.3 | 1.2.10 | 2.0.0
5.6 | 5.7 | 5.8 | 5.9 | 5.10 | 5.11 | 5.12
5.8 | 5.9 | 5.10a | 5.10b | 5.11a
5.8 | 5.9 | 5.10 | 5.11
5.9 | 5.10a | 5.10b | 5.10c | 5.10d | 5.11a
VB | V0 | V1 | V2
6a | 6a+ | 6b | 6b+ | 6c | 7a
IA | IA2 | IB | IB1 | II
I | II | IIF | III | IV
Bosniak I | Bosniak II | Bosniak IIF | Bosniak III
1a | 1b | 1f | 2a
1 | 2 | 2F | 3 | 4
1 | 2a | 2b | 2f | 3
10 | 10a | 10b | 11
1 | 1+ | 2 | 2+ | 3
- | + | ++ | +++
0 | + | ++ | +++
Tis | T1 | T2 | T3
T0 | Tis | T1mi | T1a | T1b | T2
TX | T0 | T1 | T2
N0 | N1mi | N1a | N2
Gleason 6 | Gleason 3+4 | Gleason 4+3 | Gleason 8
3+3 | 3+4 | 4+3 | 4+4
F | E | D | C | B | A
G | F | E | D | C | B | A
B | A | A* | A**
0-0.5 | 0.5-0.25e1
1,5 kg | 2,5 kg | 10 kg
1,5 | 2,5 | 10,5
first | second | third
one | two | three
liten | medel | stor
mycket dålig | dålig | bra | mycket bra
bardzo zły | zły | dobry | bardzo dobry
malé | střední | velké
helt uenig | uenig | enig | helt enig
низкий | средний | высокий
低 | 中 | 高
QVGA | VGA | XGA
pp | p | mp | mf | f | ff
PG | PG-13 | R | NC-17
U | PG | 12A | 15 | 18
white | yellow | orange | green | blue | brown | black
private | corporal | sergeant | lieutenant
IF | VVS1 | VVS2 | VS1 | VS2 | SI1 | SI2 | I1
I1 | SI2 | SI1 | VS2 | VS1 | VVS2 | VVS1 | IF
J | I | H | G | F | E | D
P4 | P3 | P2 | P1
Sev 3 | Sev 2 | Sev 1
Tier 3 | Tier 2 | Tier 1
top 25% | top 10% | top 1%
1st place | 2nd place | 3rd place
1. Platz | 2. Platz | 3. Platz
1 - High | 2 - Medium | 3 - Low
:-10 | 2-10 | 11-100
4 | 4a | 4b | 4c | 5
A | B | C
Child A | Child B | Child C
Child-Pugh A | Child-Pugh B | Child-Pugh C
Class A | Class B | Class C
A | B | C | D | E
A | B1 | B2 | C
Vaughan I | Vaughan V | Vaughan X
I | V | X
A | V | X
K | Q | V
Q1 2020 | Q2 2020 | Q1 2021
Jan 2020 | Feb 2020
Mon | Tue | Wed | Thu | Fri
January | February | March
K | 1 | 2 | 10
Pre-K | K | 1 | 2
AA | A | B | C
1:10 | 1:100 | 1:1000
1/2 | 2/2
1/4 | 1/2 | 3/4
1/8 | 1/4 | 1/2 | 1
1e-3 | 1e-2 | 1e-1
10^2 | 10^3 | 10^4
20/200 | 20/40 | 20/20
f/16 | f/8 | f/2.8
★ | ★★ | ★★★
once daily | twice daily
5'6" | 5'10" | 6'0"
W30 L32 | W32 L32
II | IIIA | IIIA1 | IIIB
G1 | G2 | G3 | GX
1++ | 1+ | 1- | 2++ | 2+
A1 | A2 | B1 | B2
C | B2 | B1 | A
5.9 | 5.10- | 5.10 | 5.10+
VI | VI+ | VII- | VII
D | HVS | E1
VD | S | HS | VS | HVS
1 h 30 | 2 h 15
1:30 | 2:15 | 10:00
08:00 | 12:00 | 18:00
2020-01 | 2020-02 | 2020-10
Python 2.7 | Python 3.9 | Python 3.10
v1.9 | v1.10
1.9 | 1.10
10.9 | 10.10 | 10.15 | 11
3.9 | 3.10 | 3.11
0.1.9 | 0.1.10
720p | 1080p | 4K
4K | 8K | 1080p
5k | 10k | half marathon
10k | 5m
16 oz | 1 gal
1/10 | 1/100 | 1/1000
1 in 10 | 1 in 100 | 1 in 1000
10:1 | 20:1
first class | second class | third class
Class A | Class AA | Class AAA
A | AA | AAA
NR | D | C | B
S | M | L | XL | 2XL | 10XL
HC | 1 | 2 | 3 | 4
Cat 4 | Cat 3 | Cat 2 | Cat 1 | HC
negative | trace | 1+ | 2+ | 3+
neg | 1+ | 2+
- | +/- | +
3.3 | 3.33 | 3.7
1,0 | 1,3 | 1,7
1d | 3d | 1w | 2w | 1m
1d | 1w | 1m | 1y
3M | 6M | 1Y | 10Y
3m | 6m | 1y
1 mm | 1 cm | 1 dm
10 ha | 100 ha | 1 km
5 | V | X
I | V
V | X
LIV | XL
Type A | Type B
M1 | M1a
II | IIa
2 | 2A
7 | 7a
1A | 1B | 1C | 1D | 1F
0-9 | 5-12
2-9 days | 1 week
a1 | b2
grade 1 | stage 2
1 bus | 2 cars | 3 trams
100+ | 1.000+
A1 | A2 | A3
""".strip().splitlines()


def shuffled(scale):
    labels = scale.split(" | ")
    return random.Random(1).sample(labels, len(labels))


@pytest.mark.parametrize("scale", KNOWN)
def test_known_scales_are_right(scale):
    assert recognise_scale(shuffled(scale)) == scale.split(" | ")


@pytest.mark.parametrize("scale", ASKED)
def test_others_are_asked_for(scale):
    assert recognise_scale(shuffled(scale)) is None


@pytest.mark.parametrize(
    "scale",
    [
        "1.1 | 1.2 | 1.9 | 1.10 | 1.11 | 2.0",
        "5.8 | 5.9 | 5.10a | 5.10b | 5.11a",
        "1.9.0 | 1.9.1 | 1.10.0",
        "I | II | IIF | III | IV",
        "1 | 2 | 2F | 3 | 10",
    ],
)
def test_a_guess_sorts_numbers_as_those_of_versions(scale):
    assert natural_order(shuffled(scale)) == scale.split(" | ")
