"""Short frequent words of other languages in Latin letters, which show that a sentence of known words is foreign.

"Die Stadt will Autos verbannen." holds two words that are English too, and three that hardly are. It is found to be
German because "die" and "will" are both frequent in German, and because none of its words is frequent in English alone.
"""

from __future__ import annotations

#: Articles, pronouns, prepositions, conjunctions and frequent verbs by language, as any grammar lists them; without
#: some that are nouns or verbs in English ("pie", "bet").
FUNCTION_WORDS = {
    "Afrikaans": """die 'n en is in van het nie ek jy hy sy ons hulle dit my jou hom haar te om met vir op by uit
        aan na oor as dat wat wie waar hoe ook maar of sal kan moet was word wees nog baie al daar hier so dan tot
        onder tussen sonder geen elke hierdie daardie weer net gaan kom sê maak goed dag huis tyd""",
    "Albanian": """një dhe në të për me nga e i është ka nuk që si por se ky kjo ai ajo unë ti ne ju ata je jemi
        janë kam kemi kanë do mund duhet shumë më pa deri tek ose edhe çfarë ku kur pse kush sot""",
    "Basque": """eta da ez ere du dira zen hau hori baina nik zuk guk izan dut duzu dugu dago naiz gara zer nor non
        noiz oso egin behar nahi hemen dute dituzte beste bere edo""",
    "Catalan": """el la els les un una uns unes de del dels a al als en amb i o que no és són era eren ha han he hem
        jo tu ell ella nosaltres ells em et es se ens us li ho hi va van fa té tinc tenen està estan ser estar molt
        més també però si com quan on qui què aquest aquesta això meu meva seu seva tot tota tots res bon dia casa
        anem vaig aquí ara avui demà""",
    "Croatian": """i u je na se da su za od s sa ne što kao ali ili ja ti on ona mi vi oni sam si smo ste bio bila
        će ću ćemo nije nema imam ima gdje kada kako tko ovo ovaj ova to taj moj moja tvoj njegov po iz do pri samo
        još vrlo dan danas""",
    "Czech": """a v se na je že to s z do o i ve pro za by od po ale jako jsem jsi jsme jste jsou byl byla bylo být
        já ty on ona my vy oni mě mi ho mu jí nás vás co kdo kde kdy jak proč ten ta tento tato můj moje není má mám
        už jen také nebo když aby bude dnes""",
    "Danish": """og i at det er en et den til på som af for med han hun jeg du vi de ikke har der var sig mig dig os
        dem min sin hans hendes om men så kan skal vil blev bliver være havde hvad hvem hvor hvornår hvorfor også
        eller fra ved efter over under her meget nu hjem dag god alle noget ingen kommer går se hele""",
    "Dutch": """de het een en van is in dat die op te met voor niet zijn ik je jij hij zij ze we wij jullie u ons er
        aan om ook als maar was had heb hebt heeft hebben ben bent wordt worden kan kunnen moet zal wil gaan gaat ga
        komt naar bij uit over door tot dan dus nog wel geen mijn jouw haar hun deze dit wat wie waar hoe waarom
        goed huis dag man oude onze alles iets niets zo al veel meer hier daar nu morgen""",
    "Esperanto": """la kaj de en estas mi vi li ŝi ĝi ni ili ne al kun por pri sed aŭ kiu kio kie kiel kiam tiu tio
        havas havis estis estos povas devas volas unu tre pli plej jes ĉi ĉu nun hodiaŭ mia via lia""",
    "Estonian": """ja on ei see ta ma sa me te nad oli kui et ka aga või mis kes kus siis nii ole olen oled oleme
        minu sinu tema meie teie väga mul sul tal meil ära saab peab tuleb üks kõik täna selle""",
    "Filipino": """ang ng sa na ay mga at ko mo niya ako ikaw siya kami tayo kayo sila ito iyan iyon hindi wala may
        mayroon para kung pero dahil ano sino saan kailan bakit paano po opo akong kang namin natin nila ni si lang
        rin""",
    "Finnish": """ja on ei se hän minä sinä me te he oli että mutta kun kuin jos niin myös tai mikä kuka missä mitä
        milloin miksi tämä tuo nämä ovat olen olet olemme en et emme eivät minun sinun hänen minulla sinulla ole
        olla hyvin nyt täällä paljon voi pitää kanssa jo""",
    "French": """le la les l un une des de du d et à au aux en dans sur sous avec pour par sans chez est sont était
        été être a ai as ont avons avez avait avoir je j tu il elle on nous vous ils elles me m te t se s lui leur y
        ne n pas rien jamais que qu qui quoi dont où quand comment pourquoi mais ou donc si ce c cet cette ces mon
        ma mes ta tes son sa ses notre votre nos vos leurs tout toute tous toutes très bien aussi comme fait faire
        va vais peut veux dit oui non ici là jour homme femme aujourd'hui aujourd hui même""",
    "Galician": """o a os as un unha de do da dos das en no na nos nas e ou que non é son era foi ten teño hai eu ti
        el ela nós vós eles me te se lle por para con sen pero como cando onde quen moi máis tamén este esta isto
        meu miña seu súa todo""",
    "German": """der die das den dem des ein eine einen einem einer eines und oder aber denn weil wenn dass daß ob
        als wie ist sind war waren sein bin bist seid wird werden wurde hat habe haben hatte hast kann können muss
        müssen will wollen soll darf mag möchte ich du er sie es wir ihr mich mir dich dir ihn ihm ihnen uns euch
        sich mein meine dein deine sein seine ihre unser unsere nicht kein keine nichts etwas alles alle viel sehr
        auch nur noch schon so da hier dort nun dann immer mit von vom zu zum zur in im ins an am auf aus bei beim
        nach vor für gegen um durch über unter ohne bis was wer wo wann warum man gut heute morgen gestern geht
        kommt gibt macht ja nein dieser diese dieses jeder jede mehr lang alt neu wieder""",
    "Haitian Creole": """mwen ou li nou yo se nan ak pou ki pa te ap yon sa ka men tout kote kisa ki moun la an lè
        fè ale vle konnen anpil""",
    "Hungarian": """a az és nem egy hogy is van volt ez azt én te ő mi ti ők meg de ha csak már vagy ki hol mikor
        miért nincs vagyok vagyunk vannak lesz kell lehet nagyon itt ott ma még után alatt között mellett""",
    "Icelandic": """og að í á er það sem ekki við um hann hún ég þú var með til fyrir en af þetta þessi hvað hver
        hvar hafa hef hefur eru vera verið minn mín sinn mjög frá eftir þá svo""",
    "Indonesian and Malay": """yang dan di ke dari itu ini dengan untuk tidak ada saya aku kamu anda dia kami kita
        mereka akan sudah bisa pada adalah atau juga karena apa siapa mana kapan mengapa bagaimana bukan jangan lagi
        sangat orang rumah hari oleh telah dalam tetapi boleh sini sana hanya""",
    "Irish": """agus an na is tá níl bhí ní go ar sa ag le de do i mé tú sé sí muid sibh siad seo sin nach mar ach
        cad cé cá conas agam agat aige aici againn leis don faoi mo a ba""",
    "Italian": """il lo la i gli le un uno una di del della dei delle dello degli a al alla ai alle allo in nel
        nella nei nelle da dal dalla con su sul sulla tra fra e ed o ma che chi non è sono era erano ha ho hai hanno
        abbiamo avete essere stato io tu lui lei noi voi loro mi ti si ci vi ne come quando dove perché cosa quale
        questo questa questi queste quello quella mio mia tuo tua suo sua nostro più molto anche già ancora sempre
        mai se fa va vado vuoi voglio può tutto tutti tutte bene sì poi qui qua oggi casa anno detto""",
    "Latin": """et in est non ad cum ut sed qui quae quod ex de ab si nec neque sunt esse erat fuit me te se nos vos
        ego tu hic haec hoc ille illa ipse pro sub ante aut atque enim autem etiam omnia omnes quam nunc semper sine
        quid quis habet""",
    "Latvian": """un ir ar no uz par kas ka nav es tu viņš viņa mēs jūs viņi man tev bija būs lai arī vai kur kad
        kāpēc šis šī tas tā kā ļoti mans mana mūsu ne jau""",
    "Lithuanian": """ir yra į su iš kad ne tai aš tu jis ji mes jūs jie mano tavo jo jos buvo ar kaip kas kur kada
        kodėl nėra turi turiu šis ši labai už prie po dėl jau tik čia""",
    "Luxembourgish": """den déi d' an as sinn wor hunn huet ech du hien hatt mir dir si net een eng op vun zu um och
        mee wann wéi wat wou keng kee""",
    "Norwegian": """og i det er en et ei den til på som av for med han hun jeg du vi de ikke har der var seg meg deg
        oss dem min sin hans hennes om men så kan skal vil ble blir være hadde hva hvem hvor når hvorfor også eller
        fra ved etter over under her mye mer nå hjem dag god bra alle noe ingen kommer går se hele eg ikkje""",
    "Polish": """i w na z się nie do to że jest o a po co jak ale za od tak są był była było być ja ty on ona my wy
        oni mnie ci mu go ją nas was kto gdzie kiedy dlaczego ten ta tego moja mój mam ma masz już tylko też czy lub
        przez dla przy bardzo może pani""",
    "Portuguese": """o a os as um uma uns umas de do da dos das em no na nos nas num numa por pelo pela para com sem
        e ou mas que quem não é são era foi ser estar está estão estava tem tenho têm ter há eu tu ele ela nós eles
        elas você vocês me te se lhe nos meu minha teu tua seu sua isso isto este esta esse essa aquele aquela muito
        mais também já só até como quando onde porque qual tudo todo toda todos ao à aos vai vou fica sei bem sim
        dia casa aqui agora hoje""",
    "Romanian": """și de la în cu pe un o pentru că nu este e sunt era am ai are avem au a să se eu tu el ea noi voi
        ei mă te îi îl ce cine unde când cum dar sau mai foarte acest această acesta meu mea său care le lui lor
        spre fără bine casa fost fi face""",
    "Slovak": """a v sa na je že to s z do o aj vo pre za by od po ale ako som si sme ste sú bol bola bolo byť ja ty
        on ona my vy oni mňa mi ho mu jej nás vás čo kto kde kedy prečo ten tá tento moja môj nie nemám má mám už
        len tiež alebo keď aby bude dnes""",
    "Slovenian": """in je v na se da so za z s ne ki kot pa ali jaz ti on ona mi vi oni sem si smo ste bil bila bo
        ni nimam ima imam kje kdaj kako kdo to ta moj moja tudi po iz do pri samo še zelo danes""",
    "Spanish": """el la los las un una unos unas lo de del a al en con por para sin sobre y e o u pero que quien qué
        no es son era fue ser está están estar estoy eres ha he han tengo tiene tienen tener yo tú él ella nosotros
        ellos ellas usted ustedes me te se le les nos mi mis tu tus su sus este esta esto estos estas ese esa eso
        aquel muy más también ya sólo si sí como cuando donde dónde porque cual todo toda todos todas nada algo va
        voy vamos van hace bien día casa aquí ahora hoy gusta puede quiero come vive""",
    "Swahili": """na ya wa ni kwa la za katika si hii huyo yeye mimi wewe sisi wao kuna hakuna lakini kama sana pia
        nini nani wapi lini kwamba ana yangu yako yake cha vya hili hiyo""",
    "Swedish": """och i att det är en ett den till på som av för med han hon jag du vi de inte har där var sig mig
        dig oss dem min sin hans hennes om men så kan ska skall vill blev blir vara hade vad vem när varför också
        eller från vid efter över under här mycket mer nu hem dag god bra alla något ingen kommer går se bor hela
        man gång""",
    "Turkish": """ve bir bu da de için ile ne mi mı çok daha gibi ama ben sen o biz siz onlar var yok değil kim
        nerede nasıl neden her şey en kadar sonra benim senin onun olan oldu olarak bana sana""",
    "Vietnamese": """và là của có không tôi bạn anh chị em nó chúng một các những này đó trong với cho ở được đã sẽ
        rất nhà người cái con đi đến khi gì ai đâu""",
    "Welsh": """y yr yn a ac i o ar mae yw oedd ddim nid fy dy ei ein eich eu gan am hyn hwn hon pwy beth ble pryd
        sut gyda wedi bod hi fe chi""",
}  # fmt: skip
